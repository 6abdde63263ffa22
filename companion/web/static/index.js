// The first page: the virtual table where there is no hardware, else the seat's or the public page.

import { hello, installable } from "./core.js";
import { sat, seat } from "./seat.js";
import { table } from "./table.js";

const me = await hello();
const wanted = new URLSearchParams(location.search).get("as");
const main = document.querySelector("#main");
if (wanted !== "phone" && !location.hash && me.virtual && me.panel === null) table(main, me);
else seat(main, (await sat(me)) ? await hello() : me);
installable();
