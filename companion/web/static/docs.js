// The API's own description, drawn from /openapi.json: nothing is loaded from elsewhere.

import { el, hello, needed } from "./core.js";

await hello();
document.body.dataset.live = "yes";
const api = await needed("/openapi.json");
const rows = Object.entries(api.paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, one]) => route(path, verb, one)));
document.querySelector("#main").replaceChildren(
  el("div", { class: "api" }, el("h1", {}, `${api.info.title} ${api.info.version}`), el("p", {}, api.info.description),
    el("p", {}, "WebSocket: ", el("code", {}, "/api/feed?as=public|seat|table&since=NUMBER&epoch=EPOCH")),
    el("p", {}, el("a", { href: "/openapi.json" }, "openapi.json")), rows),
);

function route(path, verb, one) {
  const body = one.requestBody?.content?.["application/json"]?.schema;
  const asked = (one.parameters ?? []).map((field) => el("li", {}, el("code", {}, field.name), ` (${field.in})`));
  return el("section", { class: "paper" }, el("h2", {}, el("span", { class: "verb" }, verb.toUpperCase()), " ", el("code", {}, path)),
    el("p", {}, one.description ?? ""), asked.length ? el("ul", {}, asked) : null,
    body ? el("pre", { tabindex: "0" }, JSON.stringify(resolved(body), null, 1)) : null,
    el("p", {}, Object.keys(one.responses).join(", ")));
}

function resolved(schema) {
  return schema.$ref ? api.components.schemas[schema.$ref.split("/").pop()] : schema;
}
