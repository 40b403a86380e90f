// -- filters, keys, theme, print --------------------------------------------------------------------------------------

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
    const title = `Show ${severity} findings only; press several to see them together`;
    byId("severities").append(make("button", { type: "button", title, "aria-pressed": "false", "data-severity": severity, disabled: !number, onclick: () => toggleSeverity(severity) }, `${severity} ${number}`));
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
  Object.assign(filter, noFilter(), wanted);
  showFilter();
  applyFilter();
  if (wanted.crd) byId("findings").scrollIntoView();
}

function showFilter() {
  byId("search").value = filter.text;
  for (const name of ["rule", "applicability", "crd"]) byId(name).value = filter[name];
  for (const button of byId("severities").querySelectorAll("button")) {
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
