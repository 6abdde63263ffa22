// The words of a game: marked where they first stand in it, and open on a tap.

import { el, get } from "./core.js";
import { define } from "./rules.js";

const glossaries = new Map();
const SKIPPED = "button, select, summary, svg, dialog, [role=img], .word, .name";

/** Marks each word of the running game once, in the view where it first appears. */
export async function mark(root, { game, entry }) {
  if (!game) return;
  if (!glossaries.has(game)) glossaries.set(game, get(`/api/lesson?game=${encodeURIComponent(game)}`));
  const { ok, told } = await glossaries.get(game);
  if (!ok || !told.words.length) return;
  const [number] = entry.split("/");
  const kept = `words ${number}`;
  const first = JSON.parse(sessionStorage.getItem(kept) ?? "{}"); // word: the entry at which it came
  const here = new Set([...root.querySelectorAll(".word")].map((one) => one.dataset.word));
  const due = told.words.filter(({ word }) => !here.has(word) && (first[word] ?? entry) === entry);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && due.length; node = texts.nextNode()) {
    if (node.parentElement.closest(SKIPPED) || node.parentElement.closest("[hidden]")) continue;
    const found = due.map((one) => ({ one, at: place(node.data, one.word) })).filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0];
    if (!found) continue;
    const { one, at } = found;
    due.splice(due.indexOf(one), 1);
    first[one.word] = entry;
    const rest = node.splitText(at);
    texts.currentNode = rest.splitText(one.word.length); // the rest of the sentence is looked at next
    rest.replaceWith(el("button", { type: "button", class: "word", "data-word": one.word, onclick: () => define(one, game) }, rest.data));
    texts.previousNode();
  }
  sessionStorage.setItem(kept, JSON.stringify(first));
}

/** Where a word begins; letters before it would make it another word. */
function place(text, word) {
  const at = text.toLocaleLowerCase().indexOf(word.toLocaleLowerCase());
  return at > 0 && /[a-z]/i.test(word[0]) && /[a-z]/i.test(text[at - 1]) ? -1 : at;
}
