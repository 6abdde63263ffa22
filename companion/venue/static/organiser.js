// Every table of the venue at once, as large as there is room for.

import { Feed, el, hello, languageSwitch } from "/static/core.js";

const me = await hello();
document.querySelector("#live").before(languageSwitch(me));
const tiles = el("ul", { class: "wall" });
document.querySelector("#main").replaceChildren(tiles);
new Feed("public", (view) => {
  tiles.replaceChildren(...Object.values(view).filter((one) => one.name).map((one) => el("li", {}, one.name)));
});
