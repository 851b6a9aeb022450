// Draws Figure 2.1 from the numbers in the page. Above: the files of a task, a bar for each access, marks for fsync and rename.
// Below: the requests of the chosen file, time to the right, offsets upwards. Wheel or buttons zoom, dragging moves.
(function () {
  "use strict";
  const NS = "http://www.w3.org/2000/svg";
  const KINDS = ["multimedia", "productivity", "sqlite", "settings", "strings", "other"];
  const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#555555"];
  const LEFT = 8, HEIGHT = 320, MOST_ROW = 5, LEAST_ROW = 1, FILES_HEIGHT = 560;
  const data = JSON.parse(document.getElementById("timeline-data").textContent);
  const place = document.getElementById("timeline");
  // The picture is as wide as the page, so that text keeps its size on a phone.
  const WIDTH = Math.max(300, Math.min(1100, place.clientWidth));
  const TICKS = WIDTH < 600 ? 2 : 4;
  const tasks = Object.keys(data);
  if (tasks.length === 0) {
    place.textContent = "No file was accessed.";
    return;
  }

  function html(name, parent, text) {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function svg(name, parent, attributes, title) {
    const element = document.createElementNS(NS, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (title !== undefined) {
      const tip = document.createElementNS(NS, "title");
      tip.textContent = title;
      element.appendChild(tip);
    }
    parent.appendChild(element);
    return element;
  }

  function time(micros) {
    return micros >= 1e6 ? (micros / 1e6).toFixed(3) + " s" : (micros / 1e3).toFixed(3) + " ms";
  }

  function bytes(count) {
    return count.toLocaleString("en-US") + " bytes";
  }

  const bar = html("p", place);
  const taskChoice = html("select", bar);
  tasks.forEach(function (name) { html("option", taskChoice, name).value = name; });
  const fileChoice = html("select", bar);
  fileChoice.style.maxWidth = "100%";
  const buttons = [["+", 0.5], ["−", 2], ["all", 0]].map(function (pair) {
    const button = html("button", bar, pair[0]);
    button.addEventListener("click", function () { pair[1] === 0 ? reset() : zoom(pair[1], 0.5); });
    return button;
  });
  buttons[2].title = "the whole task";
  const legend = html("ul", place);
  legend.className = "legend";
  KINDS.forEach(function (kind, i) {
    const item = html("li", legend);
    const key = svg("svg", item, { class: "key", viewBox: "0 0 28 8" });
    svg("path", key, { d: "M0 4h28", stroke: COLORS[i], "stroke-width": 4 });
    html("span", item, kind);
  });
  html("li", legend, "/ fsync");
  html("li", legend, "\\ rename");
  const above = svg("svg", place, { class: "chart fitted", id: "timeline-files" });
  html("p", place, "Requests of the chosen file: blue are reads, orange are writes; a bar is a run of sequential calls.");
  const below = svg("svg", place, { class: "chart fitted", id: "timeline-requests" });

  let task, rows, rowHeight, from, to, end;

  function choose(name) {
    task = data[name];
    end = 1;
    task.accesses.forEach(function (a) { end = Math.max(end, a[2]); });
    task.marks.forEach(function (m) { end = Math.max(end, m[1]); });
    const order = task.files.map(function (_, i) { return i; });
    order.sort(function (a, b) { return KINDS.indexOf(task.kinds[a]) - KINDS.indexOf(task.kinds[b]) || a - b; });
    rows = [];
    rowHeight = Math.max(LEAST_ROW, Math.min(MOST_ROW, FILES_HEIGHT / task.files.length));
    order.forEach(function (file, row) { rows[file] = row; });
    const sums = new Map();
    task.requests.forEach(function (r) { sums.set(r[0], (sums.get(r[0]) || 0) + r[4]); });
    fileChoice.textContent = "";
    Array.from(sums.keys()).sort(function (a, b) { return sums.get(b) - sums.get(a); }).forEach(function (file) {
      html("option", fileChoice, task.files[file] + " (" + bytes(sums.get(file)) + ")").value = file;
    });
    reset();
  }

  function reset() {
    from = 0;
    to = end;
    draw();
  }

  function zoom(factor, around) {
    const middle = from + (to - from) * around;
    const span = Math.max(10, Math.min(end, (to - from) * factor));
    from = Math.max(0, Math.min(end - span, middle - span * around));
    to = from + span;
    draw();
  }

  function x(micros) {
    return LEFT + (micros - from) / (to - from) * (WIDTH - 2 * LEFT);
  }

  function axis(parent, bottom) {
    for (let i = 0; i <= TICKS; i++) {
      const at = from + (to - from) * i / TICKS;
      const anchor = i === 0 ? "start" : i === TICKS ? "end" : "middle";
      svg("line", parent, { x1: x(at), x2: x(at), y1: 0, y2: bottom, stroke: "#eee" });
      svg("text", parent, { x: x(at), y: bottom + 14, "font-size": 11, "text-anchor": anchor }).textContent = time(at);
    }
  }

  function drawFiles() {
    const bottom = task.files.length * rowHeight + 4;
    above.textContent = "";
    above.setAttribute("viewBox", "0 0 " + WIDTH + " " + (bottom + 20));
    axis(above, bottom);
    task.accesses.forEach(function (a) {
      if (a[2] < from || a[1] > to) return;
      const moved = a[3] + a[4];
      const thick = moved === 0 ? 0.5 : Math.min(rowHeight, 1 + Math.log10(moved) / 2);
      const left = Math.max(x(a[1]), 0), right = Math.min(x(a[2]), WIDTH);
      svg("rect", above, {
        x: left, y: rows[a[0]] * rowHeight + (rowHeight - thick) / 2 + 2, width: Math.max(1, right - left), height: thick,
        fill: COLORS[Math.max(0, KINDS.indexOf(task.kinds[a[0]]))], "data-file": a[0], cursor: "pointer",
      }, task.files[a[0]] + "\n" + time(a[1]) + " to " + time(a[2]) + ", thread " + task.threads[a[5]] + "\nread "
        + bytes(a[3]) + ", written " + bytes(a[4]));
    });
    task.marks.forEach(function (m) {
      if (m[1] < from || m[1] > to) return;
      const lean = m[2] === 0 ? 3 : -3, y = rows[m[0]] * rowHeight + rowHeight / 2 + 2;
      svg("line", above, { x1: x(m[1]) - lean, x2: x(m[1]) + lean, y1: y + 4, y2: y - 4, stroke: "#000" },
        (m[2] === 0 ? "fsync of " : "rename of ") + task.files[m[0]] + " at " + time(m[1]));
    });
  }

  function drawRequests() {
    const file = Number(fileChoice.value), shown = task.requests.filter(function (r) {
      return r[0] === file && r[2] >= from && r[1] <= to;
    });
    below.textContent = "";
    below.setAttribute("viewBox", "0 0 " + WIDTH + " " + (HEIGHT + 20));
    axis(below, HEIGHT);
    let low = Infinity, high = 0;
    shown.forEach(function (r) {
      low = Math.min(low, r[3]);
      high = Math.max(high, r[3] + r[4]);
    });
    shown.forEach(function (r) {
      const scale = (HEIGHT - 4) / Math.max(1, high - low), height = Math.max(1, r[4] * scale);
      svg("rect", below, {
        x: x(r[1]), y: HEIGHT - 2 - (r[3] - low) * scale - height, width: Math.max(1.5, x(r[2]) - x(r[1])), height: height,
        fill: r[5] ? "#d55e00" : "#0072b2", "fill-opacity": 0.7,
      }, (r[5] ? "write" : "read") + " of " + bytes(r[4]) + " at " + r[3].toLocaleString("en-US") + "\n" + r[6]
        + " calls from " + time(r[1]) + " to " + time(r[2]) + ", thread " + task.threads[r[7]]);
    });
    if (shown.length > 0) {
      svg("text", below, { x: LEFT, y: 12, "font-size": 11 }).textContent =
        "bytes " + low.toLocaleString("en-US") + " to " + high.toLocaleString("en-US");
    }
  }

  function draw() {
    drawFiles();
    drawRequests();
  }

  [above, below].forEach(function (picture) {
    let held = null;
    picture.style.touchAction = "pan-y";
    picture.addEventListener("wheel", function (event) {
      event.preventDefault();
      const box = picture.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - box.left) / box.width);
    }, { passive: false });
    picture.addEventListener("pointerdown", function (event) { held = event.clientX; });
    picture.addEventListener("pointermove", function (event) {
      if (held === null || event.buttons === 0) return;
      const move = (held - event.clientX) / picture.getBoundingClientRect().width * (to - from);
      held = event.clientX;
      const span = to - from;
      from = Math.max(0, Math.min(end - span, from + move));
      to = from + span;
      draw();
    });
    picture.addEventListener("dblclick", reset);
  });
  above.addEventListener("click", function (event) {
    const file = event.target.getAttribute("data-file");
    if (file !== null && Array.from(fileChoice.options).some(function (o) { return o.value === file; })) {
      fileChoice.value = file;
      drawRequests();
    }
  });
  taskChoice.addEventListener("change", function () { choose(taskChoice.value); });
  fileChoice.addEventListener("change", drawRequests);
  choose(tasks[0]);
})();
