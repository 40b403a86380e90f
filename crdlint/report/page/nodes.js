const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SIGN = { good: "\u2713", bad: "\u2717", warning: "!", none: "\u2013", unknown: "?" };
const SEVERITIES = ["error", "warning", "info"];
const CHUNK = 60;

// Text never becomes markup: all of it goes through text nodes and attributes.
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null));
  return node;
}

// Prose, in which backticks enclose code.
function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, index) => (index % 2 && part ? make("code", {}, part) : part));
}

// A name or a path, if it has to break, does so between its words.
const breakable = (name) => name.split(/(?<=[./_-])|(?<=[a-z0-9])(?=[A-Z])/).flatMap((part) => [part, make("wbr")]);

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
