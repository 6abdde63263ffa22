// Is the table well? What the doctor finds, and what to do about it.

import { el, hello, speak, t } from "./core.js";

await hello();
document.body.dataset.live = "yes";
const said = el("p", { class: "waiting", role: "status" });
const list = el("ul", { class: "findings" });
const again = el("button", { class: "quiet", onclick: look }, t("Look again"));
document.querySelector("#main").replaceChildren(
  el("div", { class: "health" }, el("h1", {}, t("Is the table well?")), said, list, el("p", {}, again)),
);
await look();

async function look() {
  again.disabled = true;
  said.textContent = t("is looking …");
  try {
    const health = await (await fetch("/api/health")).json();
    const wrong = health.findings.filter((one) => one.verdict === "wrong");
    said.textContent = health.well ? t("Nothing is wrong.") : t("{n} things need care.", { n: wrong.length });
    const rest = health.findings.filter((one) => one.verdict !== "wrong");
    list.replaceChildren(...[...wrong, ...rest].map(finding));
    speak(said.textContent);
  } catch {
    said.textContent = t("The table does not answer.");
  }
  again.disabled = false;
}

function finding(one) {
  const sign = { right: t("all right"), wrong: t("wrong"), unseen: t("not looked at") }[one.verdict];
  return el("li", { class: `paper finding ${one.verdict}` },
    el("h2", {}, one.name, " ", el("small", {}, sign)), el("p", {}, one.says), one.do ? el("p", { class: "do" }, one.do) : null);
}
