'use strict';
/*
 * Shows what /api/status tells, every two seconds. Whatever comes from there is text: it is set as textContent or as an attribute,
 * never as markup.
 */
(() => {
  const EVERY_MILLIS = 2000;
  const ROWS = 50;
  const SVG = 'http://www.w3.org/2000/svg';
  const shown = {};
  const only = {};
  let last = null;

  const id = name => document.getElementById(name);
  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const isNumber = value => typeof value === 'number' && Number.isFinite(value);
  const count = value => isNumber(value) ? Math.round(value).toLocaleString('en') : '–';
  const number = value => !isNumber(value) ? '–' : value === 0 ? '0' : value < 10 ? value.toFixed(2) : count(value);
  const bytes = value => {
    if (!isNumber(value)) return '–';
    const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
    let unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return (unit === 0 || value >= 100 ? value.toFixed(0) : value.toPrecision(3)) + ' ' + units[unit];
  };
  const seconds = value => {
    if (!isNumber(value)) return '–';
    if (value < 10) return value.toFixed(1) + ' s';
    if (value < 120) return Math.round(value) + ' s';
    if (value < 7200) return Math.round(value / 60) + ' min';
    return (value / 3600).toFixed(1) + ' h';
  };
  const dollars = value => !isNumber(value) ? '–' : '$' + (value === 0 ? '0' : value < 0.01 ? value.toPrecision(2) : value.toFixed(2));
  const text = value => String(value === null || value === undefined ? '' : value);

  /* Returns the address of a worker's own page; null without one. What a worker says of its host is checked, since it becomes a link. */
  const pageOf = row => {
    const host = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]+$/.exec(text(row.address));
    return host && row.page > 0 ? 'http://' + host[1] + ':' + row.page + '/' : null;
  };
  const link = (label, target) => {
    const made = element('a', label);
    made.href = target;
    return made;
  };

  const COLUMNS = {
    mounts: [
      ['store', 'store', text], ['files', 'files', count], ['blobs', 'blobs', count], ['logical', 'logical_bytes', bytes],
      ['physical', 'physical_bytes', bytes], ['dead', 'dead_bytes', bytes], ['waiting files', 'buffered_files', count],
      ['lost files', 'lost_files', count], ['oldest', 'oldest_seconds', seconds], ['workers', 'live_workers', count], ['cost so far', 'dollars', dollars],
      ['problem', 'problem', text]],
    workers: [
      ['worker', 'worker', text], ['mount', 'mount', text], ['address', 'address', text], ['buffered', 'buffered_bytes', bytes],
      ['files', 'buffered_files', count], ['oldest', 'oldest_seconds', seconds], ['files/s', 'files_per_s', number],
      ['pushed/s', 'bytes_per_s', bytes], ['pushed', 'pushed_bytes', bytes], ['throttled', 'throttled', count]],
    requests: [
      ['by', 'by', text], ['PUT', 'puts', count], ['LIST', 'lists', count], ['GET', 'gets', count], ['HEAD', 'heads', count],
      ['DELETE', 'deletes', count], ['throttled', 'throttled', count], ['failed', 'failed', count], ['cost', 'dollars', dollars]],
    directories: [
      ['directory', 'directory', text], ['mount', 'mount', text], ['files', 'files', count], ['bytes', 'bytes', bytes],
      ['PUTs, by bytes', 'puts', number], ['cost, by bytes', 'dollars', dollars], ['cost if unpacked', 'direct_dollars', dollars]],
    slow: [['what', 'what', text], ['mount', 'mount', text], ['for', 'seconds', seconds], ['why', 'why', text]],
    recoveries: [
      ['mount', 'mount', text], ['now', 'phase', text], ['done', 'done', count],
      ['of', 'total', value => value < 0 ? '–' : count(value)], ['for', 'seconds', seconds]],
  };

  function table(name, rows, total, none) {
    const place = id(name).querySelector('.scroll');
    const columns = COLUMNS[name];
    const wanted = (only[name] || '').toLowerCase();
    const matching = !wanted ? rows : rows.filter(row =>
      columns.some(([, key, show]) => show === text && text(row[key]).toLowerCase().includes(wanted)));
    const most = shown[name] || ROWS;
    const parts = [];
    if (matching.length === 0) {
      parts.push(element('p', none, 'none'));
    } else {
      const made = element('table');
      const head = made.createTHead().insertRow();
      for (const [label, , show] of columns) head.append(element('th', label, show === text ? 'text' : ''));
      const body = made.createTBody();
      for (const row of matching.slice(0, most)) {
        const line = body.insertRow();
        for (const [label, key, show] of columns) {
          const cell = element('td', undefined, show === text ? 'text' : '');
          const page = name === 'workers' && key === 'worker' ? pageOf(row) : null;
          cell.append(page ? link(show(row[key]), page) : show(row[key]));
          cell.dataset.name = label;
          if (show === text && text(row[key]) === '') cell.hidden = window.innerWidth <= 600;
          if (key === 'problem') cell.classList.add('bad');
          line.append(cell);
        }
      }
      parts.push(made);
    }
    const left = Math.min(matching.length, most);
    if (left < (wanted ? matching.length : total)) {
      const more = element('p', left + ' of ' + count(wanted ? matching.length : total) + ' ', 'more');
      if (left < matching.length) {
        const button = element('button', 'show ' + matching.length);
        button.addEventListener('click', () => { shown[name] = matching.length; render(last); });
        more.append(button);
      } else if (!wanted) {
        more.append('; the others are in what /metrics and "packing mounts" tell');
      }
      parts.push(more);
    }
    place.replaceChildren(...parts);
  }

  function list(place, pairs) {
    place.replaceChildren(...pairs.map(([name, value]) => {
      const item = element('div');
      item.append(element('dt', name), element('dd', value));
      return item;
    }));
  }

  const PLOTS = [
    ['pushed', 'pushed_bytes_per_s', bytes, '/s'], ['pushed files', 'pushed_files_per_s', number, '/s'],
    ['buffered', 'buffered_bytes', bytes, ''], ['oldest file waits', 'oldest_seconds', seconds, ''],
    ['PUTs', 'puts_per_s', number, '/s'], ['throttled requests', 'throttled_per_s', number, '/s']];
  const WIDTH = 360;
  const HEIGHT = 72;

  /* Returns the label of an axis: round numbers need no zeros behind the point, and seconds stay seconds. */
  const axisLabel = (value, show) => value === 0 ? '0' : show === seconds && value < 1000 ? count(value) + ' s'
    : show(value).replace(/\.([0-9]*?)0+(?![0-9])/, (zeros, kept) => kept ? '.' + kept : '');

  /* Returns the least of 1, 2 and 5 times a power of ten that is not below the value: the top of an axis. */
  const axisTop = value => {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map(factor => factor * power).find(top => top >= value * 0.999999);
  };

  const svgElement = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };

  /* Returns the runs of known values as points of the plot: a gap in the samples is a gap in the line. */
  function runsOf(values, top) {
    const first = WIDTH - values.length;
    const runs = [];
    let run = null;
    values.forEach((value, i) => {
      if (!isNumber(value)) {
        run = null;
        return;
      }
      if (!run) runs.push(run = []);
      run.push([first + i, HEIGHT - value / top * HEIGHT]);
    });
    return runs;
  }

  function plot(label, values, show, unit, span) {
    const place = element('div', undefined, 'plot');
    const known = values.filter(isNumber);
    const most = Math.max(...known, 0);
    const top = axisTop(most);
    const title = element('h3', label);
    title.append(element('b', known.length ? 'now ' + show(values[values.length - 1]) + unit : 'nothing yet'));
    const svg = svgElement('svg', {
      viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, preserveAspectRatio: 'none', role: 'img',
      'aria-label': title.textContent + ', most ' + show(most) + unit });
    for (const y of [0, HEIGHT / 2, HEIGHT]) svg.append(svgElement('path', { class: 'grid', d: 'M0 ' + y + 'H' + WIDTH }));
    const runs = runsOf(values, top);
    const line = runs.map(points => 'M' + points.map(([x, y]) => x + ' ' + y.toFixed(1)).join('L') + (points.length === 1 ? 'h1' : ''));
    const area = runs.map((points, i) => line[i] + 'V' + HEIGHT + 'H' + points[0][0] + 'Z');
    for (const [kind, path] of [['area', area], ['line', line]]) svg.append(svgElement('path', { class: kind, d: path.join('') }));
    const scale = element('div', undefined, 'scale');
    for (const value of [top, top / 2, 0]) scale.append(element('span', axisLabel(value, show) + (value === 0 ? '' : unit)));
    const times = element('div', undefined, 'times');
    times.append(element('span', seconds(span) + ' ago'), element('span', seconds(span / 2)), element('span', 'now'));
    const drawing = element('div', undefined, 'drawing');
    drawing.append(scale, svg, times);
    place.append(title, drawing);
    return place;
  }

  /* Returns the four answers: an answer's name, its text, what stands below it, and whether it is bad, good or neither. */
  function answersOf(status, isMaster, hasWorkers) {
    const totals = status.totals;
    const answers = [];
    if (isMaster) {
      answers.push(totals.lost_files > 0
        ? ['Lost', count(totals.lost_files) + ' files', '"packing fsck" names them', 'bad']
        : ['Lost', 'nothing', count(totals.files) + ' files in ' + count(totals.mounts) + ' mounts', 'good']);
    }
    const failures = status.notes.length;
    answers.push(status.problem
      ? ['Health', 'needs you', 'see below', 'bad']
      : ['Health', 'works', failures ? (failures === 1 ? 'a failure' : count(failures) + ' failures') + ' in the background, see below'
        : 'for ' + seconds((status.now_millis - status.started_millis) / 1000), failures ? 'warn' : 'good']);
    if (hasWorkers) {
      answers.push(['Waits for a push', totals.buffered_files > 0 ? bytes(totals.buffered_bytes) : 'nothing',
        totals.buffered_files > 0 ? count(totals.buffered_files) + ' files, the oldest for ' + seconds(totals.oldest_seconds) : '', '']);
    }
    if (isNumber(status.dollars)) {
      answers.push(['Requests cost', isNumber(status.dollars_per_day) ? dollars(status.dollars_per_day) + ' a day' : dollars(status.dollars),
        dollars(status.dollars) + ' since the start', '']);
    } else {
      const sent = status.requests.reduce((sum, row) => sum + row.puts + row.lists + row.gets + row.heads + row.deletes, 0);
      answers.push(['Requests', count(sent), 'since the start', '']);
    }
    return answers;
  }

  function answer([name, value, below, kind]) {
    const made = element('div', undefined, ('answer ' + kind).trim());
    made.append(element('h2', name), element('p', value, 'value'), element('p', below, 'below'));
    return made;
  }

  function render(status) {
    if (!status) return;
    last = status;
    const totals = status.totals;
    const isMaster = status.mounts.length > 0 || status.daemon === 'BDT master';
    const hasWorkers = isMaster || status.workers.length > 0 || status.daemon === 'worker';
    document.title = 'packing: ' + status.daemon + ' ' + status.name;
    id('title').textContent = status.daemon + ' ' + status.name;
    const state = id('state');
    state.textContent = 'started ' + seconds((status.now_millis - status.started_millis) / 1000) + ' ago';
    state.className = '';
    id('answers').replaceChildren(...answersOf(status, isMaster, hasWorkers).map(answer));

    const troubles = (status.problem ? status.problem.split('\n') : []).concat(status.notes);
    id('troubles').hidden = troubles.length === 0;
    id('troubles').className = status.problem ? 'bad' : 'warn';
    id('troubles').querySelector('ul').replaceChildren(...troubles.map(line => element('li', line)));
    id('recoveries').hidden = status.recoveries.length === 0;
    table('recoveries', status.recoveries, status.recoveries.length, '');

    const numbers = [];
    if (isMaster) {
      numbers.push(
        ['mounts', count(totals.mounts)], ['files', count(totals.files)], ['blobs', count(totals.blobs)],
        ['bytes of files', bytes(totals.logical_bytes)], ['bytes of blobs', bytes(totals.physical_bytes)],
        ['dead bytes', bytes(totals.dead_bytes)]);
    }
    if (hasWorkers) {
      numbers.push(['workers', count(totals.workers)], ['pushed now', bytes(totals.bytes_per_s) + '/s'],
        ['files now', number(totals.files_per_s) + '/s']);
    }
    id('totals').hidden = numbers.length === 0;
    list(id('totals').querySelector('dl'), numbers);

    const span = WIDTH * status.history.every_seconds;
    id('plots').querySelector('h2').textContent = 'The last ' + seconds(span);
    id('plots').querySelector('.plots').replaceChildren(
      ...(hasWorkers ? PLOTS : PLOTS.slice(-2)).map(([label, key, show, unit]) =>
        plot(label, status.history.series[key] || [], show, unit, span)));
    table('slow', status.slow, status.slow.length, 'nothing takes long');
    id('mounts').hidden = !isMaster;
    id('workers').hidden = !hasWorkers;
    id('slow').hidden = !hasWorkers;
    table('mounts', status.mounts, totals.mounts, 'no mount is open');
    table('workers', status.workers, totals.workers, 'no worker is alive');
    table('requests', status.requests, status.requests.length, 'none yet');
    id('directories').hidden = status.directories.length === 0;
    table('directories', status.directories, totals.directories, 'nothing was written since the start');
    id('facts').hidden = status.facts.length === 0;
    list(id('facts').querySelector('dl'), status.facts.map(fact => [fact.name, fact.value]));
    if (!document.documentElement.dataset.shown) performance.mark('numbers shown');
    document.documentElement.dataset.shown = 'true';
  }

  async function look() {
    try {
      const answer = await fetch('/api/status', { cache: 'no-store' });
      if (!answer.ok) throw new Error((await answer.text()).trim() || answer.status);
      render(await answer.json());
    } catch (e) {
      const state = id('state');
      state.textContent = 'the daemon does not answer: ' + e.message + (last ? '; below is its last report' : '');
      state.className = 'bad';
    }
  }

  for (const name of ['mounts', 'workers', 'directories']) {
    id(name).querySelector('input').addEventListener('input', event => {
      only[name] = event.target.value;
      render(last);
    });
  }
  (async () => {
    for (;;) {
      // A hidden page sends no requests.
      if (!document.hidden || !last) await look();
      await new Promise(done => setTimeout(done, EVERY_MILLIS));
    }
  })();
})();
