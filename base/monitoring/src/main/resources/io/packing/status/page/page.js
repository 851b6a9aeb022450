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
          const cell = element('td', show(row[key]), show === text ? 'text' : '');
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
    ['pushed/s', 'pushed_bytes_per_s', bytes], ['files/s', 'pushed_files_per_s', number], ['buffered', 'buffered_bytes', bytes],
    ['oldest file waits', 'oldest_seconds', seconds], ['PUT/s', 'puts_per_s', number], ['throttled/s', 'throttled_per_s', number]];

  function plot(label, values, show) {
    const place = element('div', undefined, 'plot');
    const known = values.filter(isNumber);
    const most = Math.max(...known, 0);
    const title = element('h3', label);
    title.append(element('b', known.length ? 'now ' + show(values[values.length - 1]) + ', most ' + show(most) : 'nothing yet'));
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 360 72');
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', title.textContent);
    const first = 360 - values.length;
    const runs = [];
    let run = null;
    values.forEach((value, i) => {
      if (!isNumber(value)) {
        run = null;
        return;
      }
      if (!run) runs.push(run = []);
      run.push([first + i, 70 - (most > 0 ? value / most * 66 : 0)]);
    });
    const line = runs.map(points => 'M' + points.map(([x, y]) => x + ' ' + y.toFixed(1)).join('L') + (points.length === 1 ? 'h1' : ''));
    const area = runs.map((points, i) => line[i] + 'V71H' + points[0][0] + 'Z');
    for (const [kind, path] of [['area', area], ['line', line]]) {
      const made = document.createElementNS(SVG, 'path');
      made.setAttribute('class', kind);
      made.setAttribute('d', path.join(''));
      svg.append(made);
    }
    place.append(title, svg);
    return place;
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
    state.textContent = status.problem ? 'needs you' : 'works, for ' + seconds((status.now_millis - status.started_millis) / 1000);
    state.className = status.problem ? 'bad' : '';

    const troubles = (status.problem ? status.problem.split('\n') : []).concat(status.notes);
    id('troubles').hidden = troubles.length === 0;
    id('troubles').querySelector('ul').replaceChildren(...troubles.map(line => element('li', line)));
    id('recoveries').hidden = status.recoveries.length === 0;
    table('recoveries', status.recoveries, status.recoveries.length, '');

    const numbers = [];
    if (isMaster) {
      numbers.push(
        ['mounts', count(totals.mounts)], ['files', count(totals.files)], ['blobs', count(totals.blobs)],
        ['logical', bytes(totals.logical_bytes)], ['physical', bytes(totals.physical_bytes)], ['dead', bytes(totals.dead_bytes)]);
      if (totals.lost_files > 0) numbers.push(['lost files', count(totals.lost_files)]);
    }
    if (hasWorkers) {
      numbers.push(
        ['buffered', bytes(totals.buffered_bytes)], ['waiting files', count(totals.buffered_files)],
        ['oldest waits', seconds(totals.oldest_seconds)], ['pushed/s', bytes(totals.bytes_per_s)],
        ['files/s', number(totals.files_per_s)]);
    }
    if (isNumber(status.dollars)) {
      numbers.push(['cost so far', dollars(status.dollars)], ['cost a day', dollars(status.dollars_per_day)]);
    }
    list(id('totals').querySelector('dl'), numbers);

    id('plots').querySelector('.plots').replaceChildren(
      ...(hasWorkers ? PLOTS : PLOTS.slice(-2)).map(([label, key, show]) => plot(label, status.history.series[key] || [], show)));
    table('slow', status.slow, status.slow.length, 'nothing takes long');
    id('mounts').hidden = !isMaster;
    id('workers').hidden = !hasWorkers;
    id('slow').hidden = !hasWorkers;
    table('mounts', status.mounts, totals.mounts, 'no mount is open');
    table('workers', status.workers, totals.workers, 'no worker is alive');
    table('requests', status.requests, status.requests.length, 'none yet');
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

  for (const name of ['mounts', 'workers']) {
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
