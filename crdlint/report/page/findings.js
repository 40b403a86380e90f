// -- the findings -----------------------------------------------------------------------------------------------------

// What is empty asks for nothing: no severity is as good as all of them.
const noFilter = () => ({ text: "", severities: new Set(), rule: "", applicability: "", crd: "" });
const filter = noFilter();
let matching = [];
let drawn = 0;
let current = -1;

const applicabilityOf = (finding) => (finding.fix ? finding.fix.applicability : "none");
const crdOf = (finding) => [finding.crd, finding.version].filter(Boolean).join(" ");

function prepareFindings() {
  for (const finding of data.findings) {
    const words = [finding.rule, finding.message, finding.path, finding.crd, finding.kind, finding.version, finding.fix && finding.fix.title];
    finding.words = words.filter(Boolean).join("\n").toLowerCase();
  }
}

function matches(finding, words) {
  return (!filter.severities.size || filter.severities.has(finding.severity))
    && (!filter.rule || finding.rule === filter.rule)
    && (!filter.applicability || applicabilityOf(finding) === filter.applicability)
    && (!filter.crd || crdOf(finding) === filter.crd || finding.crd === filter.crd)
    && words.every((word) => finding.words.includes(word));
}

function applyFilter() {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  matching = data.findings.filter((finding) => matches(finding, words));
  current = -1;
  drawn = 0;
  byId("list").replaceChildren();
  drawMore();
  const all = data.findings.length;
  byId("shown").textContent = matching.length === all ? count(all, "finding") : `${matching.length} of ${count(all, "finding")}`;
  if (!matching.length) byId("list").append(make("p", { class: "empty" }, all ? "No finding matches." : "Nothing was found."));
}

// Only what can be scrolled to soon is in the page; the sentinel at its end draws more.
function drawMore(until = drawn + CHUNK) {
  const nodes = [];
  for (; drawn < Math.min(until, matching.length); drawn += 1) {
    const finding = matching[drawn];
    if (drawn === 0 || matching[drawn - 1].path !== finding.path) nodes.push(make("h3", { class: "file" }, breakable(finding.path)));
    nodes.push(drawFinding(finding, drawn));
  }
  byId("list").append(...nodes);
  if (drawn < matching.length) watch();
}

const observer = new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting)) drawMore();
}, { rootMargin: "1200px" });

function watch() {
  observer.disconnect();
  observer.observe(byId("list").lastElementChild);
}

function drawFinding(finding, index) {
  const kind = applicabilityOf(finding);
  const button = make("button", { type: "button", "aria-expanded": "false", onclick: () => toggleFinding(finding), onfocus: () => { current = index; } },
    make("span", { class: "severity" }, finding.severity),
    make("span", { class: "message" }, prose(finding.message), make("small", {}, finding.rule, crdOf(finding) ? ` \u00b7 ${crdOf(finding)}` : "")),
    make("span", { class: "side" }, make("span", { class: `pill ${kind}` }, kind === "none" ? "no fix" : `${kind} fix`), make("br"), `line ${finding.line}`));
  finding.node = make("article", { class: `finding ${finding.severity}` }, button);
  if (finding.isOpen) toggleFinding(finding, true);
  return finding.node;
}

function toggleFinding(finding, open = !finding.isOpen) {
  finding.isOpen = open;
  finding.node.firstElementChild.setAttribute("aria-expanded", String(open));
  let body = finding.node.querySelector(".body");
  if (open && !body) {
    body = drawBody(finding);
    finding.node.append(body);
  }
  if (body) body.hidden = !open;
}

function drawBody(finding) {
  const place = `${finding.path}:${finding.line}:${finding.column}`;
  const shown = finding.link ? make("a", { href: finding.link, rel: "noreferrer" }, place) : place;
  const why = data.rules[finding.rule];
  return make("div", { class: "body" },
    make("div", { class: "columns" },
      make("div", {}, make("h4", {}, shown), finding.frame.length ? frame(finding.frame) : null),
      finding.fix ? drawFix(finding) : null),
    finding.marker ? [make("h4", {}, `Marker for ${finding.markerOn || "the Go type"}`), make("pre", { class: "plain" }, finding.marker)] : null,
    why ? [make("h4", {}, "Why"), make("p", {}, prose(why))] : null);
}

function frame(lines) {
  return make("pre", {}, lines.map(([number, text]) => make("span", { class: number === null ? "caret" : null },
    make("span", { class: "number" }, number === null ? "" : String(number)), text)));
}

function drawFix({ fix, path }) {
  return make("div", {},
    make("h4", {}, `Fix (${fix.applicability}): `, prose(fix.title)),
    fix.refused ? make("p", {}, make("b", {}, "Not applied: "), prose(fix.refused)) : null,
    fix.hunks.length ? diff(fix.hunks) : null,
    fix.reasons.length ? make("ul", {}, fix.reasons.map((reason) => make("li", {}, prose(reason)))) : null,
    fix.rests ? [make("p", {}, "This fix comes after others of this file."), fileDiff(path)] : null);
}

const diff = (hunks) => make("pre", { class: "diff" }, hunks.map(hunk));

function hunk({ before, after, lines }) {
  const looks = { "+": "add", "-": "remove" };
  return [make("span", { class: "hunk" }, `@@ line ${before}${after === before ? "" : `, then ${after}`} @@`),
    ...lines.map((line) => make("span", { class: looks[line[0]] || null }, line || " "))];
}
