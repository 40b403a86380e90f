"use strict";
(() => {
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

  // A dotted name breaks at its dots, if it has to.
  const dotted = (name) => name.split(/(?<=\.)/).flatMap((part) => [part, make("wbr")]);

  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  // -- the numbers ------------------------------------------------------------------------------------------------

  function drawNumbers() {
    const n = data.numbers;
    const left = data.rows.filter((row) => (row.after === null ? row.race : data.lives[row.after].race)).length;
    const drawn = data.rows.filter((row) => row.before !== null).length;
    const tile = (value, text, kind = "") => make("li", { class: kind }, make("strong", {}, String(value)), text);
    const tiles = [
      tile(drawn ? `${n.races} of ${drawn}` : n.races,
        "versions with a status are taken as ready before any controller has seen the object",
        `wide ${n.races ? "bad" : "good"}`),
    ];
    if (n.races && data.hasFixes) tiles.push(tile(left, "of them are left once all fixes are made", left ? "warning" : "good"));
    tiles.push(
      tile(n.crds, `${n.crds === 1 ? "CRD" : "CRDs"}, ${count(n.versions, "version")}`),
      tile(n.errors, n.errors === 1 ? "error" : "errors", n.errors ? "bad" : "good"),
      tile(n.warnings, n.warnings === 1 ? "warning" : "warnings", n.warnings ? "warning" : "good"),
      tile(n.infos, n.infos === 1 ? "note" : "notes"),
      tile(`${n.fixableSafe} + ${n.fixableUnsafe}`, "safe and unsafe fixes to be had"),
    );
    if (n.fixed) tiles.push(tile(n.fixed, "fixed in this run", "good"));
    byId("numbers").append(...tiles);
    byId("stake").textContent = data.stake;
  }

  // -- the readiness matrix and its timelines ---------------------------------------------------------------------

  function mark([kind, text]) {
    return make("span", { class: `mark ${kind}` }, make("b", { "aria-label": kind }, SIGN[kind]), text);
  }

  // What is wrong in each state: nothing, what only the controller can cure ("soft"), or more.
  function wrongStates(life) {
    return data.states.map((state, index) => {
      if (!life.lanes.some((lane) => lane.answers[index].wrong)) return "";
      return state.soft ? "soft" : "wrong";
    });
  }

  function strip(life, label) {
    const wrong = wrongStates(life);
    const names = data.states.filter((_, index) => wrong[index]).map((state) => state.name);
    const title = `${label}: ${names.length ? `wrong in ${names.join(", ")}` : "right in every state"}`;
    const cells = wrong.map((isWrong) => make("i", { class: isWrong || null }));
    return make("span", { class: "strip", title, role: "img", "aria-label": title }, cells);
  }

  function lifeCell(row) {
    if (row.before === null) return make("td", {}, mark(["none", ""]));
    const strips = [strip(data.lives[row.before], "now")];
    if (row.after !== null) {
      strips.push(make("span", { class: "arrow" }, "\u2192"), strip(data.lives[row.after], "fixed"));
    }
    return make("td", { class: "strips" }, strips);
  }

  function drawMatrix() {
    const head = ["CRD", "Version", "Life", ...data.columns, "Findings"];
    byId("matrix").append(make("thead", {}, make("tr", {}, head.map((title) => make("th", { scope: "col" }, title)))));
    byId("matrix").append(...data.rows.map(drawRow));
    if (!data.rows.length) byId("readiness").hidden = true;
    byId("open-lives").hidden = !data.rows.some((row) => row.before !== null);
    const first = data.rows.find((row) => row.race && row.after !== null) || data.rows.find((row) => row.race);
    if (first) toggleLife(first, true);
  }

  function drawRow(row, index) {
    const found = data.findings.filter((finding) => finding.row === index).length;
    const canOpen = row.before !== null;
    const title = row.kind || row.crd || "a CRD without a name";
    const name = canOpen
      ? make("button", { type: "button", "aria-expanded": "false", onclick: () => toggleLife(row) }, title)
      : make("span", { class: "plain" }, title);
    const versions = [make("code", {}, row.version || "?"), row.storage ? make("span", { class: "tag" }, "storage") : null];
    const show = () => showOnly({ text: "", crd: row.crd ? `${row.crd} ${row.version}`.trim() : "" });
    row.node = make("tbody", { class: "version" }, make("tr", {},
      make("td", { class: "name", title: row.path }, name, make("small", { class: "dim" }, dotted(row.crd || ""))),
      make("td", {}, versions),
      lifeCell(row),
      row.cells.map((cell) => make("td", {}, mark(cell))),
      make("td", {}, found ? make("button", { type: "button", class: "count", onclick: show }, String(found)) : mark(["none", ""])),
    ));
    row.isWrong = row.cells.some(([kind]) => kind === "bad") || found > 0;
    return row.node;
  }

  function toggleLife(row, open = !row.node.classList.contains("open")) {
    if (row.before === null) return;
    row.node.classList.toggle("open", open);
    row.node.querySelector("button").setAttribute("aria-expanded", String(open));
    if (open && !row.drawn) {
      row.drawn = make("tr", { class: "life" }, make("td", { colspan: data.columns.length + 4 }, drawLife(row)));
      row.node.append(row.drawn);
    }
    if (row.drawn) row.drawn.hidden = !open;
  }

  function drawLife(row) {
    const charts = [chart("Now", data.lives[row.before])];
    if (row.after !== null) charts.push(chart("Once fixed", data.lives[row.after]));
    const why = data.hasFixes && row.after === null ? make("p", { class: "dim" }, "No fix of crdlint changes this.") : null;
    return [make("p", { class: "dim path" }, row.path), make("div", { class: "lives" }, charts), why, fileDiff(row.path)];
  }

  function fileDiff(path) {
    const hunks = data.diffs[path];
    if (!hunks) return null;
    return make("details", {}, make("summary", {}, "What all fixes of this file change"), diff(hunks));
  }

  function chart(title, life) {
    const wrong = wrongStates(life).filter(Boolean);
    const says = !wrong.length ? "every answer is right"
      : wrong.every((one) => one === "soft") ? "right, if the controller writes a condition at once"
        : `wrong answers in ${wrong.length} of ${data.states.length} states`;
    const moment = make("div", { class: "moment", hidden: true });
    const groups = [make("col", { class: "who" }), ...data.states.map((state) => make("col", { class: state.branch ? "branch" : null }))];
    const head = data.states.map((state, index) => make("th", { scope: "col", class: state.branch ? "branch" : null },
      make("button", { type: "button", "aria-pressed": "false", title: state.meaning, onclick: (event) => showMoment(event.currentTarget, moment, life, index) }, state.label)));
    const truth = data.states.map((state) => make("td", { class: state.branch ? "branch" : null }, make("span", { class: "bar" }, state.truth)));
    return make("div", { class: "chart" },
      make("h3", {}, `${title} `, make("span", {}, says)),
      make("table", { class: "drawing" }, make("colgroup", {}, groups),
        make("thead", {}, make("tr", {}, make("td"), head)),
        make("tbody", {}, make("tr", { class: "truth" }, make("th", { scope: "row" }, "in truth"), truth), life.lanes.map(lane))),
      moment);
  }

  function lane({ name, answers }) {
    const look = answers.map((answer, index) => {
      if (!answer.wrong) return answer.act;
      return answer.wrong === "never" ? "never" : data.states[index].soft ? "soft" : "early";
    });
    return make("tr", {}, make("th", { scope: "row" }, name), answers.map((answer, index) => {
      const state = data.states[index];
      const joinsLeft = index > 0 && !state.branch && look[index - 1] === look[index];
      const next = data.states[index + 1];
      const joinsRight = next !== undefined && !next.branch && look[index + 1] === look[index];
      const classes = `bar ${look[index]}${joinsLeft ? "" : " first"}${joinsRight ? "" : " last"}`;
      return make("td", { class: state.branch ? "branch" : null }, make("span", { class: classes, title: spoken(name, state, answer) }, barText(answer, joinsLeft)));
    }));
  }

  function barText(answer, joinsLeft) {
    if (answer.wrong) return `${SIGN.bad} ${answer.wrong === "never" ? "never" : "early"}`;
    if (joinsLeft || answer.act === "wait") return "";
    return { go: SIGN.good, fail: "failed", end: "ending" }[answer.act];
  }

  function spoken(name, state, answer) {
    const wrong = answer.wrong ? `. Wrong: ${answer.wrong}` : "";
    return `${state.name}: ${name} says ${answer.says}${answer.why ? ` (${answer.why})` : ""}${wrong}`;
  }

  function showMoment(button, moment, life, index) {
    const open = button.getAttribute("aria-pressed") !== "true";
    for (const other of button.closest("tr").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(open));
    moment.hidden = !open;
    const state = data.states[index];
    const answers = life.lanes.map((one) => {
      const answer = one.answers[index];
      const wrong = answer.wrong ? make("span", { class: "bad" }, ` ${SIGN.bad} ${answer.wrong}`) : null;
      return make("li", {}, make("b", {}, one.name), `: ${answer.says}`, answer.why ? ` \u2013 ${answer.why}` : "", wrong);
    });
    moment.replaceChildren(
      make("p", {}, make("b", {}, state.label), `: ${state.meaning}`),
      make("ul", {}, answers),
      make("pre", { class: "plain" }, data.texts[life.objects[index]]));
  }

  function drawLegend() {
    const item = (look, sign, text) => make("span", {}, make("i", { class: `bar first last ${look}` }, sign), text);
    byId("legend").append(
      item("wait", "", "waits"),
      item("go", SIGN.good, "goes on, rightly"),
      item("early", SIGN.bad, "goes on too early"),
      item("soft", SIGN.bad, "too early, unless the controller writes a condition with the generation"),
      item("never", SIGN.bad, "waits though it should go on"),
      make("span", {}, "kstatus decides for Flux, Helm 4 and kpt"));
  }

  // -- the findings -----------------------------------------------------------------------------------------------

  const filter = { text: "", severities: new Set(SEVERITIES), rule: "", applicability: "", crd: "" };
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
    return filter.severities.has(finding.severity)
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
      if (drawn === 0 || matching[drawn - 1].path !== finding.path) nodes.push(make("h3", { class: "file" }, finding.path));
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
      finding.marker ? [make("h4", {}, "Marker for the Go type"), make("pre", { class: "plain" }, finding.marker)] : null,
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

  // -- filters, keys, theme, print --------------------------------------------------------------------------------

  function choices(select, first, values) {
    const counts = new Map();
    for (const value of values) if (value) counts.set(value, (counts.get(value) || 0) + 1);
    const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
    select.append(make("option", { value: "" }, first), ...sorted.map(([value, number]) => make("option", { value }, `${value} (${number})`)));
    select.disabled = !sorted.length;
    select.addEventListener("change", () => { filter[select.id] = select.value; applyFilter(); });
  }

  function drawFilters() {
    for (const severity of SEVERITIES) {
      const number = data.findings.filter((finding) => finding.severity === severity).length;
      byId("severities").append(make("button", { type: "button", "aria-pressed": "true", "data-severity": severity, onclick: () => toggleSeverity(severity) }, `${severity} ${number}`));
    }
    choices(byId("rule"), "every rule", data.findings.map((finding) => finding.rule));
    choices(byId("applicability"), "any fix", data.findings.map(applicabilityOf));
    choices(byId("crd"), "every CRD", data.findings.map(crdOf));
    byId("search").addEventListener("input", (event) => { filter.text = event.target.value; applyFilter(); });
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("clear").addEventListener("click", (event) => { event.preventDefault(); showOnly({}); });
  }

  function toggleSeverity(severity) {
    if (!filter.severities.delete(severity)) filter.severities.add(severity);
    showFilter();
    applyFilter();
  }

  // Show what matches these, and nothing but these.
  function showOnly(wanted) {
    Object.assign(filter, { text: "", severities: new Set(SEVERITIES), rule: "", applicability: "", crd: "" }, wanted);
    showFilter();
    applyFilter();
    if (wanted.crd) byId("findings").scrollIntoView();
  }

  function showFilter() {
    byId("search").value = filter.text;
    for (const name of ["rule", "applicability", "crd"]) byId(name).value = filter[name];
    for (const button of byId("severities").children) {
      button.setAttribute("aria-pressed", String(filter.severities.has(button.dataset.severity)));
    }
  }

  function step(by) {
    const next = Math.max(0, Math.min(matching.length - 1, current + by));
    if (!matching.length) return;
    if (next >= drawn) drawMore(next + CHUNK);
    const { node } = matching[next];
    node.firstElementChild.focus({ preventScroll: true });
    node.scrollIntoView({ block: "center" });
  }

  function onEscape() {
    const search = byId("search");
    if (document.activeElement === search) {
      if (search.value) showOnly({ ...filter, text: "" });
      else search.blur();
    } else if (current >= 0 && matching[current].isOpen) {
      toggleFinding(matching[current], false);
    }
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") onEscape();
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const action = { "/": () => byId("search").focus(), j: () => step(1), k: () => step(-1) }[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  // A page opened from a file may have no storage.
  function stored(value) {
    try {
      if (value === undefined) return localStorage.getItem("crdlint-theme");
      localStorage.setItem("crdlint-theme", value);
    } catch { /* the choice lasts as long as the page */ }
    return value;
  }

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" }[theme];
    stored(theme);
  }

  function listen() {
    const themes = ["auto", "light", "dark"];
    byId("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % 3]));
    byId("print").addEventListener("click", () => window.print());
    byId("only-wrong").addEventListener("change", (event) => {
      for (const row of data.rows) row.node.hidden = event.target.checked && !row.isWrong;
    });
    byId("open-lives").addEventListener("click", () => data.rows.forEach((row) => toggleLife(row, true)));
    byId("open-findings").addEventListener("click", () => matching.slice(0, drawn).forEach((finding) => toggleFinding(finding, true)));
    document.addEventListener("keydown", onKey);
    window.addEventListener("beforeprint", () => drawMore(matching.length));
  }

  const wanted = stored();
  setTheme(["light", "dark"].includes(wanted) ? wanted : "auto");
  drawNumbers();
  drawLegend();
  drawMatrix();
  prepareFindings();
  drawFilters();
  applyFilter();
  listen();
})();
