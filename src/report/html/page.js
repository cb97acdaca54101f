// The page: reads the data, and makes sections of it. Text of users only ever becomes text, never markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const main = document.getElementById('main');
  const { time, bytes, bandwidth, flops, percent } = Charts;

  // ---- Elements -----------------------------------------------------------------------------------------------------
  // make('p', {class: 'note'}, 'text', child, …); null children are left out.
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
      if (typeof value === 'function') element.addEventListener(key, value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
    element.append(...children.flat().filter(child => child !== null && child !== undefined));
    return element;
  };
  const announce = text => { document.getElementById('announce').textContent = text; };
  const group = (list, key) => {
    const groups = new Map();
    for (const each of list) {
      const name = key(each);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(each);
    }
    return groups;
  };
  // A name that a narrow column may break behind / and _, and nowhere else.
  const breakable = text => text.split(/(?<=[\/_])/).flatMap((part, i) => i ? [make('wbr'), part] : [part]);
  const counted = (number, thing) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;
  let ids = 0;
  const slug = text => `${text.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${++ids}`;

  // columns: [title, cell(row), {number, sort}]; a cell is text or an element.
  function table(caption, columns, rows, { sortable = rows.length > 2 } = {}) {
    const body = make('tbody');
    const line = row => make('tr', {}, columns.map(([, cell, how = {}], i) =>
      make(i === 0 ? 'th' : 'td', { class: how.number ? 'number' : i === 0 ? 'name' : null, scope: i === 0 ? 'row' : null }, cell(row))));
    body.append(...rows.map(line));
    const heads = columns.map(([title, cell, how = {}]) => {
      if (!sortable) return make('th', { scope: 'col', class: how.number ? 'number' : null }, title);
      const head = make('th', { scope: 'col', 'aria-sort': 'none', class: how.number ? 'number' : null });
      head.append(make('button', { type: 'button', click: () => {
        const up = head.getAttribute('aria-sort') !== 'ascending';
        for (const other of heads) other.setAttribute('aria-sort', 'none');
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        const value = how.sort || (row => { const c = cell(row); return typeof c === 'string' ? c : c.textContent; });
        const missing = v => v === null || v === undefined;
        const sorted = [...rows].sort((a, b) => {
          const [x, y] = [value(a), value(b)];
          if (missing(x) || missing(y)) return missing(x) - missing(y);
          return (typeof x === 'number' ? x - y : String(x).localeCompare(String(y), 'en', { numeric: true })) * (up ? 1 : -1);
        });
        body.replaceChildren(...sorted.map(line));
      } }, title));
      return head;
    });
    return make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
      make('table', {}, make('caption', {}, caption), make('thead', {}, make('tr', {}, heads)), body));
  }

  // ---- Charts -------------------------------------------------------------------------------------------------------
  // Drawn when they come into view, again when the theme changes, and all of them before the page is printed.
  const figures = [];
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) figures.find(each => each.box === entry.target).draw();
  }, { rootMargin: '300px' });

  // A chart with the words that stand for it, and the table behind it.
  function figure(caption, height, build, behind, says) {
    const parts = [make('figcaption', {}, caption)];
    if (Charts.there) {
      const canvas = make('canvas', { role: 'img', tabindex: 0, 'aria-label': says || caption });
      const box = make('div', { class: 'canvas', style: `height:${height}px` }, canvas);
      const entry = { box, chart: null, draw(again) {
        if (entry.chart && !again) return;
        if (entry.chart) entry.chart.destroy();
        entry.chart = build(canvas);
        box.dataset.drawn = '1';
      } };
      figures.push(entry);
      seen.observe(box);
      canvas.addEventListener('keydown', event => walk(entry, event));
      parts.push(box);
    }
    const table_at = behind && make('details', { open: !Charts.there }, make('summary', {}, 'Table'));
    if (table_at) {
      const fill = () => { if (table_at.children.length === 1) table_at.append(behind()); };
      table_at.addEventListener('toggle', fill);
      if (!Charts.there) fill();
      parts.push(table_at);
    }
    return make('figure', { class: 'chart' }, parts);
  }

  // Arrow keys go from point to point, and say what each is.
  function walk(entry, event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || !entry.chart || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const chart = entry.chart;
    const points = chart.data.datasets.flatMap((set, datasetIndex) => set.hitRadius === 0 ? [] : set.data.map((_, index) => ({ datasetIndex, index })));
    if (!points.length) return;
    entry.at = ((entry.at ?? (step > 0 ? -1 : 0)) + step + points.length) % points.length;
    const point = points[entry.at];
    const { x, y } = chart.getDatasetMeta(point.datasetIndex).data[point.index].getProps(['x', 'y']);
    chart.setActiveElements([point]);
    chart.tooltip.setActiveElements([point], { x, y });
    chart.update('none');
    announce([...(chart.tooltip.title || []), ...(chart.tooltip.body || []).flatMap(part => part.lines)].join(', '));
  }
  const redraw = () => { for (const each of figures) if (each.chart) each.draw(true); };

  // ---- Words --------------------------------------------------------------------------------------------------------
  const seconds_of = r => r.time ? r.time.median : r.estimate ? estimated(r.estimate) : null;
  // Results of before the model of time have the band alone: its middle by ratio.
  const estimated = e => e.time_s ?? Math.sqrt(e.low_s * e.high_s);
  const limit_of = r => r.estimate && !r.time ? r.estimate.limit_s : r.limit ? r.limit.seconds : null;
  const share_of = r => { const t = seconds_of(r), l = limit_of(r); return t > 0 && l > 0 ? l / t : null; };
  const bound_of = r => r.estimate && !r.time ? r.estimate.bound : r.limit ? r.limit.bound : '';
  // As the terminal has it: two digits, and the band in the estimate's unit: "≈ 19 µs", "(9.5 to 38 µs)".
  const two_digits = v => v > 0 ? Number(v.toPrecision(2)) >= 10 ? String(Number(v.toPrecision(2))) : v.toPrecision(2) : '0';
  const estimate_parts = e => {
    const [, unit] = time(estimated(e)).split(' '), scale = { ns: 1e9, 'µs': 1e6, ms: 1e3, s: 1 }[unit];
    return { unit, time: two_digits(estimated(e) * scale), low: two_digits(e.low_s * scale), high: two_digits(e.high_s * scale) };
  };
  const estimate_time = e => { const p = estimate_parts(e); return `≈ ${p.time} ${p.unit}`; };
  const estimate_band = e => { const p = estimate_parts(e); return `${p.low} to ${p.high} ${p.unit}`; };
  const time_text = r => r.time ? time(r.time.median) : r.estimate ? estimate_time(r.estimate) : '–';
  const spread_text = r => r.time ? `${time(r.time.q1)} … ${time(r.time.q3)}` : r.estimate ? estimate_band(r.estimate) : '–';
  const share_text = r => r.time || !share_of(r) ? percent(share_of(r)) : `${Math.round(100 * share_of(r))}%`;
  const rate_text = r => {
    const t = seconds_of(r);
    if (!(t > 0)) return '–';
    return bound_of(r) === 'compute' || !r.work.bytes ? flops(r.work.flops / t) : bandwidth(r.work.bytes / t);
  };
  const problem_of = r => [r.problem, r.dtype, r.variant, r.input && `${r.input} input`].filter(Boolean).join(' ');
  // A GPU by its name, where the surveys or the environment of its source say it.
  const surveyed = group(data.surveys.flatMap(document => document.devices.filter(d => d.facts && d.facts.name)), d => d.title);
  const gpu_names = new Map([...surveyed].map(([id, list]) => [id, new Set(list.map(d => d.facts.name)).size === 1 ? list[0].facts.name : '']));
  const gpu_name = (device, source) => device.startsWith('cuda') && ((data.sources[source] || { environment: {} }).environment[`${device} name`] || gpu_names.get(device)) || '';
  const ids_of = group(data.results, r => gpu_name(r.device, r.source));
  const named_device = (device, source) => {
    const name = gpu_name(device, source);
    if (!name) return device;
    return new Set(ids_of.get(name).map(r => r.device)).size > 1 ? `${name} (${device})` : name;
  };
  const device_of = r => r.estimate && !r.time ? `${r.estimate.gpu} (estimate)` : named_device(r.device, r.source);
  const verdict = r => r.verdict === 'ok' ? make('span', { class: 'good' }, 'ok') : make('span', { class: r.verdict === 'refused' ? 'faint' : 'bad' }, r.verdict);

  // A ladder: results of one operation on one problem and device, from one source. A library that was measured by itself
  // stands beside the ladders of the same machine.
  const problem_key = r => JSON.stringify([r.operation, r.device, r.dtype, r.problem, r.variant, r.input]);
  const same_machine = (a, b) => { const [x, y] = [a, b].map(r => data.sources[r.source].environment.cpu); return !x || !y || x === y; };
  const same_problem = (a, b) => problem_key(a) === problem_key(b) && same_machine(a, b);
  // A program as a whole is no rung: it is explained below.
  const by_source = [...group(data.results.filter(r => r.rung), r => `${r.source} ${problem_key(r)}`).values()];
  const libraries_alone = by_source.filter(rungs => rungs.every(r => r.library));
  const ladders = by_source.filter(rungs => !libraries_alone.includes(rungs) || !by_source.some(other => !libraries_alone.includes(other) && same_problem(other[0], rungs[0])))
    .map(own => {
      const guests = libraries_alone.filter(rungs => rungs !== own && rungs[0].source !== own[0].source && same_problem(rungs[0], own[0])).flat()
        .filter(guest => !own.some(r => r.rung === guest.rung));
      const rungs = [...own, ...guests];
      const timed = rungs.filter(r => r.verdict === 'ok' && seconds_of(r) > 0);
      const by_time = [...timed].sort((x, y) => seconds_of(x) - seconds_of(y));
      const best = by_time.find(r => !r.library) || null, library = by_time.find(r => r.library) || null;
      const sources = [...new Set(rungs.map(r => data.sources[r.source].name))].join(', ');
      return { rungs, timed, best, library, sources, first: own[0], id: slug(`ladder ${own[0].operation} ${own[0].dtype} ${own[0].problem}`) };
    });
  const gain = ladder => ladder.best && ladder.library ? seconds_of(ladder.library) / seconds_of(ladder.best) : null;

  // ---- Sections -----------------------------------------------------------------------------------------------------
  const contents = make('ul');
  function section(title, id, intro) {
    const heading = make('h2', { id }, title);
    const list = make('ul');
    contents.append(make('li', {}, make('a', { href: `#${id}` }, title), list));
    const element = make('section', { 'aria-labelledby': id }, heading, intro ? make('p', { class: 'faint intro' }, intro) : null);
    main.append(element);
    return { element, link: (text, to) => list.append(make('li', {}, make('a', { href: `#${to}` }, breakable(text)))) };
  }
  // What filters look at: cards say what they are about.
  const cards = [];
  function card(about, attributes, ...children) {
    const element = make('article', { class: 'card', ...attributes }, ...children);
    cards.push({ element, ...about, text: about.text.toLowerCase() });
    return element;
  }
  const about = (r, ...more) => ({ operation: r.operation, device: device_of(r), dtype: r.dtype, text: [r.operation, r.rung, problem_of(r), device_of(r), ...more].join(' ') });

  function overview() {
    const measured = ladders.filter(each => each.best);
    if (!measured.length) return;
    const devices = [...new Set(measured.map(l => device_of(l.best)))];
    const { element } = section('Overview', 'overview', `The fastest rung of every ladder${devices.length === 1 ? ` on ${devices[0]}` : ''}. Share of the limit: the least time that this device could need ÷ the time it takes.`);
    const of_ladder = l => about(l.first, l.rungs.map(r => `${r.rung} ${r.lesson} ${r.why}`).join(' '));
    const best_rungs = list => table(list.length > 24 ? `Best rungs of ${list.length} ladders` : 'Best rungs', [
      ['operation', l => make('a', { href: `#${l.id}` }, l.first.operation), { sort: l => l.first.operation }],
      ['problem', l => problem_of(l.first)],
      ...(devices.length === 1 ? [] : [['device', l => make('span', { class: 'name' }, device_of(l.best))]]),
      ['best rung', l => make('code', {}, l.best.rung), { sort: l => l.best.rung }],
      ['time', l => time_text(l.best), { number: true, sort: l => seconds_of(l.best) }],
      ['rate', l => rate_text(l.best), { number: true, sort: l => l.best.work.bytes / seconds_of(l.best) }],
      ['of the limit', l => share_text(l.best), { number: true, sort: l => share_of(l.best) }],
      ...(!measured.some(gain) ? [] : [['against the library', l => gain(l) ? `×${gain(l).toFixed(2)} ${l.library.rung}` : '–', { number: true, sort: l => gain(l) }]]),
    ], list);
    const order = [...measured].sort((a, b) => a.first.operation.localeCompare(b.first.operation) || b.first.work.bytes - a.first.work.bytes);
    const box = card({ text: '', any: true }, { class: `card wide${order.length > 24 ? ' tall' : ''}` });
    cards.at(-1).update = fits => box.replaceChildren(best_rungs(order.filter(l => { const a = of_ladder(l); return fits({ ...a, text: a.text.toLowerCase() }); })));
    element.append(box);
  }

  function comparison() {
    const all = data.comparison;
    if (!all) return;
    const { element } = section('What changed', 'comparison', `${all.summary}, against ${all.before}; the same is what lies within ${percent(all.threshold)} or within the noise of both.`);
    const name = title_of;
    const side = s => s ? s.verdict !== 'ok' ? s.verdict : time_text(s) : '–';
    const ratio_text = r => r.ratio ? `×${r.ratio.toFixed(3)}` : '–';
    const reason = r => (r.after && r.after.reason) || (r.ratio ? (r.beyond_noise ? 'beyond the noise' : 'within the noise') : '');
    const tones = { slower: 'bad', broken: 'bad', faster: 'good', mended: 'good' };
    const view = changed_only => {
      const rows = changed_only ? all.rows.filter(r => r.change !== 'same') : all.rows;
      const timed = rows.filter(r => r.ratio);
      const behind = () => table('Before and after', [
        ['rung', r => make('code', {}, name(r)), { sort: name }],
        ['problem', r => r.rung ? problem_of(r) : ''], ['device', r => r.device],
        ['before', r => side(r.before), { number: true }], ['after', r => side(r.after), { number: true }],
        ['after ÷ before', ratio_text, { number: true, sort: r => r.ratio }],
        ['', r => make('span', { class: tones[r.change] || 'faint' }, r.change)], ['why', reason]], rows);
      if (!rows.length) return make('p', {}, 'Nothing changed beyond the noise.');
      const charted = [...timed].sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio))).slice(0, 40);
      return [charted.length ? figure(charted.length < timed.length ? `The ${charted.length} largest of ${timed.length}.` : 'Times after ÷ before; left of 1 is faster.', 60 + 24 * charted.length,
        canvas => Charts.ratios(canvas, { rows: charted.map(r => ({ name: name(r), ratio: r.ratio, change: r.change, text: ratio_text(r), tooltip: [problem_of(r), `${side(r.before)} before, ${side(r.after)} after`, reason(r)] })) }), null,
        `Times after over before: ${charted.slice(0, 5).map(r => `${name(r)} ${ratio_text(r)} ${r.change}`).join(', ')}`) : null, behind()].filter(Boolean);
    };
    const body = make('div');
    const only = make('input', { type: 'checkbox', id: 'only-changed', checked: true, change: () => body.replaceChildren(...[view(only.checked)].flat()) });
    element.append(card({ text: all.rows.map(name).join(' '), any: true }, { class: 'card wide' },
      make('div', { class: 'tools' }, make('label', {}, only, ' only what changed')), body));
    body.replaceChildren(...[view(true)].flat());
    const differ = Object.entries(all.environment).filter(([k, v]) => k !== 'date' && data.sources.length && data.sources[0].environment[k] !== undefined && data.sources[0].environment[k] !== v);
    for (const [k, v] of differ) element.append(make('p', { class: 'note' }, `${k} differs: ${v} before, ${data.sources[0].environment[k]} after.`));
  }

  function rooflines() {
    const drawn = [];
    for (const roof of data.roofs) {
      if (!(roof.bandwidth > 0)) continue;
      const here = r => r.dtype === roof.dtype && r.work.flops > 0 && r.work.bytes > 0 && (roof.published ? r.estimate && !r.time && r.estimate.gpu === roof.device
        : r.time && r.device === roof.device && (data.sources[r.source].environment.cpu || '') === roof.cpu);
      const mine = ladders.filter(l => l.best && here(l.best));
      if (mine.length) drawn.push({ roof, mine });
    }
    if (!drawn.length) return;
    const { element } = section('Rooflines', 'rooflines', 'Operations per second over operations per byte, both as the algorithm needs them, under the roofs of the device. Choose an operation above to see each of its rungs.');
    const grid = make('div', { class: 'cards' });
    for (const { roof, mine } of drawn) {
      const all_of = only => [...group(mine, l => l.first.operation)].filter(([name]) => !only || name === only);
      const point = (r, l) => ({ x: r.work.flops / r.work.bytes, y: r.work.flops / seconds_of(r), name: `${r.operation}/${r.rung}`,
        tooltip: [problem_of(r), `${time_text(r)}, ${flops(r.work.flops / seconds_of(r))}`, `${Number((r.work.flops / r.work.bytes).toPrecision(3))} operations per byte`, `${share_text(r)} of the limit`] });
      const series = () => {
        const only = document.getElementById('operation').value;
        const chosen = all_of(only);
        if (only && chosen.length) return [...group(chosen[0][1].flatMap(l => l.timed), r => r.rung)].map(([label, list]) => ({ label, points: list.map(r => point(r)) }));
        return all_of('').map(([label, list]) => ({ label, points: list.map(l => point(l.best)) }));
      };
      const title = `${roof.dtype} on ${roof.published ? roof.device : device_of(mine[0].best)}${roof.published ? ', estimates under published figures' : ', measured'}`;
      const says = `${title}: memory ${bandwidth(roof.bandwidth)}${roof.peak ? `, arithmetic ${flops(roof.peak)}` : ''}; ${mine.length} best rungs`;
      const heading = make('h3', {}, title);
      grid.append(card({ operation: null, operations: mine.map(l => l.first.operation), device: device_of(mine[0].best), dtype: roof.dtype, text: title + mine.map(l => l.first.operation).join(' ') }, { 'data-roof': roof.dtype }, heading,
        figure(says, 420, canvas => Charts.roofline(canvas, { roof, series: series() }), () => table(title, [
          ['rung', l => `${l.first.operation}/${l.best.rung}`], ['problem', l => problem_of(l.first)],
          ['operations per byte', l => String(Number((l.best.work.flops / l.best.work.bytes).toPrecision(3))), { number: true, sort: l => l.best.work.flops / l.best.work.bytes }],
          ['rate', l => flops(l.best.work.flops / seconds_of(l.best)), { number: true, sort: l => l.best.work.flops / seconds_of(l.best) }],
          ['of the limit', l => share_text(l.best), { number: true, sort: l => share_of(l.best) }]], mine), says)));
    }
    element.append(grid);
  }

  // ---- Ladders ------------------------------------------------------------------------------------------------------
  function ladder_table(ladder) {
    const { rungs } = ladder;
    const best = ladder.best ? seconds_of(ladder.best) : null;
    const columns = [
      ['rung', r => make('code', {}, r.rung), { sort: r => rungs.indexOf(r) }],
      ['verdict', verdict, { sort: r => r.verdict }],
      ['time', time_text, { number: true, sort: seconds_of }],
      [rungs.some(r => r.time) ? 'quartiles' : 'band', spread_text, { number: true, sort: seconds_of }],
      ['runs', r => r.time ? String(r.time.count) : '–', { number: true, sort: r => r.time && r.time.count }],
      ['caches warm', r => r.hot ? time(r.hot.median) : '–', { number: true, sort: r => r.hot && r.hot.median }],
      ['rate', rate_text, { number: true, sort: r => seconds_of(r) && -seconds_of(r) }],
      ['of the limit', share_text, { number: true, sort: share_of }],
      ['bound', bound_of],
      ['of the best', r => best && seconds_of(r) ? `×${(seconds_of(r) / best).toFixed(2)}` : '–', { number: true, sort: r => seconds_of(r) }],
      ['lesson or reason', r => make('span', {}, r.reason || r.lesson, r.why ? make('br') : null, r.why || null)],
    ];
    const empty = new Set(['runs', 'caches warm'].filter(name => name === 'runs' ? !rungs.some(r => r.time) : !rungs.some(r => r.hot)));
    return table(`${ladder.first.operation} ${problem_of(ladder.first)}`, columns.filter(([name]) => !empty.has(name)), rungs);
  }

  function ladder_figure(ladder) {
    const { timed, best, library } = ladder;
    const limited = timed.some(r => limit_of(r) > 0);
    const least = Math.min(...timed.map(limit_of).filter(limit => limit > 0));
    const unit = limited ? r => limit_of(r) || least : () => seconds_of(best || library);
    const share = (r, t) => unit(r) / t;
    const rows = timed.map(r => {
      const kind = r.estimate && !r.time ? 'estimate' : r.library ? 'library' : r === best ? 'best' : 'own';
      const whisker = r.time ? [share(r, r.time.q3), share(r, r.time.q1)] : null;
      const band = r.time ? [0, share(r, r.time.median)] : [share(r, r.estimate.high_s), Math.min(1, share(r, r.estimate.low_s))];
      return { name: r.rung + (r.library ? ' (library)' : ''), kind, share: band, whisker, at: r.time ? null : share(r, seconds_of(r)), text: `${time_text(r)}${share_of(r) ? ` · ${share_text(r)}` : ''}`,
        tooltip: [`${time_text(r)} (${spread_text(r)}${r.time ? `, ${r.time.count} runs` : ''})`, `${rate_text(r)}${share_of(r) ? `, ${share_text(r)} of the limit` : ''}`, bound_of(r) && `bound by ${bound_of(r)}`].filter(Boolean) };
    });
    const kinds = new Set(rows.map(row => row.kind));
    const reach = Math.max(...rows.map(row => Math.max(row.share[1], row.whisker ? row.whisker[1] : 0)));
    const lines = [];
    if (limited) lines.push({ at: 1, text: `limit ${time(least)}`, colour: Charts.there ? getComputedStyle(document.documentElement).getPropertyValue('--t7').trim() : '' });
    if (library) lines.push({ at: share(library, seconds_of(library)), text: library.rung, dashed: true, row: 1, colour: getComputedStyle(document.documentElement).getPropertyValue('--t11').trim() });
    // Words stand behind the bars where the limit is far.
    const most = limited && reach > 0.35 ? Math.max(1, reach) : reach * (kinds.has('estimate') ? 1.5 : 1.3);
    const caption = limited ? 'Share of the limit; the longer the faster.' : 'Speed, the fastest being 1; the longer the faster.';
    const says = `${ladder.first.operation} ${problem_of(ladder.first)}: ${timed.map(r => `${r.rung} ${time_text(r)}`).join(', ')}`;
    const legend = [kinds.has('estimate') && 'bars are bands of estimates, the mark is the estimate', rows.some(row => row.whisker) && 'whiskers: quartiles'].filter(Boolean).join('; ');
    return figure(legend ? `${caption} ${legend[0].toUpperCase()}${legend.slice(1)}.` : caption, 76 + 26 * rows.length, canvas => {
      for (const line of lines) line.colour = getComputedStyle(document.documentElement).getPropertyValue(line.row ? '--t11' : '--t7').trim();
      return Charts.ladder(canvas, { rows, most, lines, title: limited ? 'share of the limit' : 'of the fastest', decimal: v => limited ? `${Math.round(v * 1000) / 10}%` : String(Math.round(v * 100) / 100) });
    }, () => ladder_table(ladder), says);
  }

  function ladder_section() {
    const shown = ladders.filter(l => l.timed.length || l.rungs.some(r => r.verdict !== 'ok'));
    if (!shown.length) return;
    const { element, link } = section('Ladders', 'ladders', 'Each rung of an operation beside the limit of its device and the library that a user would pick instead.');
    const grid = make('div', { class: 'cards' });
    for (const [operation, list] of group(shown, l => l.first.operation)) {
      link(operation, list[0].id);
      for (const ladder of list) {
        const { first, best, library } = ladder;
        const refused = ladder.rungs.filter(r => r.verdict === 'refused').length, bad = ladder.rungs.filter(r => r.verdict === 'wrong' || r.verdict === 'failed');
        const words = best ? `Best: ${best.rung}, ${time_text(best)}, ${rate_text(best)}${share_of(best) ? `, ${share_text(best)} of the limit` : ''}${library ? `; ×${gain(ladder).toFixed(2)} of ${library.rung}` : ''}.` : '';
        grid.append(card(about(first, ladder.rungs.map(r => `${r.rung} ${r.lesson} ${r.why}`).join(' ')), { id: ladder.id },
          make('h3', {}, `${operation} `, make('span', { class: 'faint' }, `${problem_of(first)} on ${device_of(best || first)}`)),
          words ? make('p', {}, words) : null,
          bad.map(r => make('p', { class: 'bad' }, `${r.rung} is ${r.verdict}: ${r.reason}`)),
          refused ? make('p', { class: 'faint' }, `${refused} of ${ladder.rungs.length} rungs do not compute this problem.`) : null,
          ladder.timed.length ? ladder_figure(ladder) : ladder_table(ladder),
          make('p', { class: 'faint' }, ladder.sources)));
      }
    }
    element.append(grid);
  }

  // What a set of problems grows along: the axis that alone differs, the length of those that grow alike, or else the
  // work that bounds most of them.
  function growth(all) {
    const lengths = name => all.map(r => r.axes[name]);
    const differing = Object.keys(all[0].axes).filter(name => new Set(lengths(name)).size > 1);
    const alike = differing.length > 0 && all.every(r => differing.every(name => r.axes[name] === r.axes[differing[0]]));
    if (alike) return { title: differing.join(' = '), of: r => r.axes[differing[0]], words: v => v.toLocaleString('en') };
    const computes = all.filter(r => bound_of(r) === 'compute').length * 2 > all.length && all.every(r => r.work.flops > 0);
    return computes ? { title: 'operations', of: r => r.work.flops, words: v => flops(v).replace('FLOP/s', '') }
      : { title: 'bytes that the algorithm has to move', of: r => r.work.bytes, words: bytes };
  }

  function size_section() {
    const sets = [...group(ladders.filter(l => l.timed.length), l => JSON.stringify([l.first.operation, device_of(l.timed[0]), l.first.dtype, l.first.variant, l.first.input, data.sources[l.first.source].environment.cpu])).values()]
      .map(list => {
        // Of one problem that was measured several times, the last.
        const latest = new Map();
        for (const ladder of list) for (const r of ladder.timed) latest.set(JSON.stringify([r.rung, r.problem]), r);
        const all = [...latest.values()];
        return { first: list[0].first, device: device_of(list[0].timed[0]), all, grows: growth(all), series: [...group(all, r => r.rung)] };
      })
      .filter(({ all, grows }) => { const places = new Set(all.map(grows.of)); return places.size > 2 && Math.max(...places) >= 8 * Math.min(...places); });
    if (!sets.length) return;
    const { element } = section('Time against size', 'sizes', 'Medians over the axis that was varied, or over the work where several were; both axes are logarithmic. Lines join problems that grow; where shapes differ, points stand alone.');
    const grid = make('div', { class: 'cards' });
    const middle = values => { const sorted = [...values].sort((a, b) => a - b); return Math.sqrt(sorted[(sorted.length - 1) >> 1] * sorted[sorted.length >> 1]); };
    for (const { first, device, all, grows, series } of sets) {
      const points_of = rs => rs.map(r => ({ x: grows.of(r), y: seconds_of(r), tooltip: [r.rung, `${r.problem}: ${time_text(r)}`, rate_text(r)] }));
      // A line from one problem to another that is larger in one way and smaller in another would say nothing.
      const nested = [...all].sort((a, b) => grows.of(a) - grows.of(b)).every((r, i, list) => i === 0 || Object.keys(r.axes).every(name => r.axes[name] >= list[i - 1].axes[name]));
      const one_axis = Object.keys(first.axes).includes(grows.title) || grows.title.includes(' = ');
      const line_of = rs => !one_axis && !nested ? [] : [...group(rs, grows.of)].map(([x, list]) => ({ x, y: middle(list.map(seconds_of)) })).sort((a, b) => a.x - b.x);
      const title = [first.operation, first.dtype, first.variant, first.input].filter(Boolean).join(' ');
      grid.append(card(about(first, all.map(r => r.rung).join(' ')), {}, make('h3', {}, title, ' ', make('span', { class: 'faint' }, `on ${device}`)),
        figure(`${series.length} rungs at ${new Set(all.map(r => r.problem)).size} sizes.`, 380, canvas => Charts.sizes(canvas, { title: grows.title, words: grows.words, series: series.map(([label, rs]) => ({ label, library: rs[0].library, points: points_of(rs), line: line_of(rs) })) }), () => table(title, [
          ['rung', r => make('code', {}, r.rung), { sort: r => r.rung }], ['problem', r => r.problem], ['bytes', r => bytes(r.work.bytes), { number: true, sort: r => r.work.bytes }],
          ['time', time_text, { number: true, sort: seconds_of }], ['rate', rate_text, { number: true, sort: r => r.work.bytes / seconds_of(r) }], ['of the limit', share_text, { number: true, sort: share_of }]], all),
        `${title}: time against ${grows.title} of ${series.map(([label]) => label).join(', ')}`)));
    }
    element.append(grid);
  }

  // ---- Explanations -------------------------------------------------------------------------------------------------
  const per = (amount, count) => count ? String(Number((amount / count).toPrecision(3))) : '–';
  const title_of = e => e.rung ? `${e.operation}/${e.rung}` : e.operation;

  // Lines of all launches, added up: {file: {line: {accesses, branches, divergent}}}.
  function counted_lines(e) {
    const files = new Map();
    for (const kernel of e.kernels)
      for (const line of kernel.lines || []) {
        if (!files.has(line.file)) files.set(line.file, new Map());
        const lines = files.get(line.file);
        if (!lines.has(line.line)) lines.set(line.line, { accesses: new Map(), branches: 0, divergent: 0 });
        const sum = lines.get(line.line);
        sum.branches += line.branches;
        sum.divergent += line.divergent;
        for (const a of line.accesses) {
          const to = sum.accesses.get(a.access) || { access: a.access, unit: a.unit, requests: 0, cost: 0, ideal: 0, lanes: 0 };
          for (const figure of ['requests', 'cost', 'ideal', 'lanes']) to[figure] += a[figure];
          sum.accesses.set(a.access, to);
        }
      }
    return files;
  }

  // The files that lines are known of, and a line's place in the page.
  function files_of(e, prefix) {
    const files = [...new Set([...Object.keys(e.sources || {}), ...e.kernels.flatMap(k => (k.lines || []).map(line => line.file))])].filter(Boolean);
    return { files, line_id: (file, line) => `${prefix}-${files.indexOf(file)}-${line}` };
  }

  function source_view(e, prefix) {
    const counted = counted_lines(e);
    const { files, line_id } = files_of(e, prefix);
    const parts = files.map((file, i) => {
      const known = (e.sources || {})[file];
      const lines = counted.get(file) || new Map();
      const first = known ? known.first : Math.min(...lines.keys()), last = known ? known.first + known.lines.length - 1 : Math.max(...lines.keys());
      const about_line = number => e.findings.map((f, at) => ({ f, at })).filter(({ f }) => [f, ...f.also || []].flatMap(pair => [pair.place, pair.other_place]).some(p => p && p.file === file && p.line === number));
      const body = make('tbody');
      const hidden = [];
      const near = number => { for (let d = -3; d <= 3; ++d) if (lines.has(number + d) || about_line(number + d).length) return true; return false; };
      const flush = () => {
        if (!hidden.length) return;
        const rows = hidden.splice(0);
        if (rows.length < 4) return rows.forEach(row => { row.hidden = false; });
        const fold = make('tr', { class: 'fold' }, make('td'), make('td', { colspan: 6 }, make('button', { type: 'button', click: () => { rows.forEach(row => { row.hidden = false; }); fold.remove(); } }, `… ${rows.length} lines without counters`)));
        rows.forEach(row => { row.fold = fold; row.unfold = () => { rows.forEach(each => { each.hidden = false; }); fold.remove(); }; });
        rows[0].before(fold);
      };
      for (let number = first; number <= last; ++number) {
        const text = known ? known.lines[number - known.first] : '';
        if (!known && !lines.has(number)) continue;
        const line = lines.get(number);
        const found = about_line(number);
        const cells = line ? [...line.accesses.values()].map(a => [a.access, String(a.requests), a.unit ? `${per(a.cost, a.requests)} ${a.unit}` : '', a.unit ? per(a.ideal, a.requests) : '', per(a.lanes, a.requests), a.unit && a.ideal ? a.cost / a.ideal : 1]) : [];
        if (line && line.divergent) cells.push(['branch', String(line.branches), `${line.divergent} divergent`, '0', '', 1 + line.divergent / line.branches]);
        const row_of = (cell, at) => make('tr', { id: at === 0 ? line_id(file, number) : null, tabindex: at === 0 && (line || found.length) ? -1 : null,
            class: [line ? 'counted' : '', found.length ? 'found' : '', found.some(({ f }) => f.severity === 'error') ? 'error' : ''].join(' ').trim() || null },
          make('td', { class: 'line' }, at === 0 ? String(number) : ''),
          make('td', { class: 'text' }, at === 0 ? text : '', at === 0 ? found.map(({ f, at: k }) => make('span', {}, ' ', make('a', { href: `#${prefix}-finding-${k + 1}`, class: f.severity === 'error' ? 'bad' : 'poor', title: f.evidence }, `⚑${k + 1}`))) : ''),
          cell ? cell.slice(0, 5).map((value, c) => make('td', { class: c ? `number ${c === 2 ? (cell[5] > 4 ? 'bad' : cell[5] > 1.2 ? 'poor' : '') : ''}` : null }, value)) : make('td', { colspan: 5 }));
        const rows = cells.length ? cells.map(row_of) : [row_of(null, 0)];
        body.append(...rows);
        if (near(number) || !known) flush();
        else { rows[0].hidden = true; hidden.push(rows[0]); }
      }
      flush();
      return make('details', { open: i === 0 || e.findings.some(f => f.place && f.place.file === file), 'data-file': file }, make('summary', {}, make('code', {}, file), known ? '' : ' (its text is not here)'),
        make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Source of ${file} with counters` },
          make('table', { class: 'source' }, make('thead', {}, make('tr', {}, ['line', 'source', 'access', 'requests', 'per request', 'ideal', 'lanes'].map((name, c) => make('th', { scope: 'col', class: c > 2 || !c ? 'number' : null }, name)))), body)));
    });
    const element = make('div', {});
    let hits = [], at = -1;
    const result = make('output', { class: 'faint', 'aria-live': 'polite' });
    const look = () => {
      for (const mark of element.querySelectorAll('mark')) mark.replaceWith(mark.textContent);
      const wanted = find.value.trim().toLowerCase();
      hits = []; at = -1;
      if (wanted)
        for (const cell of element.querySelectorAll('td.text')) {
          cell.normalize();
          const text = cell.firstChild, place = text && text.nodeType === 3 ? text.data.toLowerCase().indexOf(wanted) : -1;
          if (place < 0) continue;
          const range = document.createRange();
          range.setStart(text, place); range.setEnd(text, place + wanted.length);
          range.surroundContents(make('mark'));
          hits.push(cell.closest('tr'));
        }
      result.textContent = wanted ? `${hits.length} ${hits.length === 1 ? 'line' : 'lines'}` : '';
    };
    const find = make('input', { type: 'search', placeholder: 'find in the source', 'aria-label': `Find in the source of ${title_of(e)}`, input: look, keydown: event => {
      if (event.key !== 'Enter' || !hits.length) return;
      event.preventDefault();
      at = (at + (event.shiftKey ? -1 : 1) + hits.length) % hits.length;
      show_row(hits[at]);
      result.textContent = `${at + 1} of ${hits.length} lines`;
    } });
    const fold = make('button', { type: 'button', click: () => { const all = [...element.querySelectorAll('details')]; const open = all.some(d => !d.open); all.forEach(d => { d.open = open; }); } }, 'Fold or unfold all files');
    element.append(make('div', { class: 'tools' }, find, result, parts.length > 1 ? fold : null), ...parts);
    return element;
  }

  function show_row(row) {
    for (let up = row.parentElement; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
    if (row.unfold) row.unfold();
    for (const old of document.querySelectorAll('.source tr.here')) old.classList.remove('here');
    row.classList.add('here');
    row.scrollIntoView({ block: 'center', behavior: 'instant' });
    if (row.hasAttribute('tabindex')) row.focus({ preventScroll: true });
  }

  // Pictures come from this program; what could run is taken out of them all the same.
  function picture(svg, label) {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    if (parsed.tagName !== 'svg') return null;
    for (const each of [...parsed.querySelectorAll('script, style, foreignObject, a, image, use')]) each.remove();
    for (const each of [parsed, ...parsed.querySelectorAll('*')])
      for (const name of [...each.attributes].map(a => a.name)) if (/^on|href/i.test(name)) each.removeAttribute(name);
    parsed.setAttribute('role', 'img');
    parsed.setAttribute('aria-label', label);
    return make('div', { class: 'picture' }, document.importNode(parsed, true));
  }
  const picture_title = file => {
    const found = /-(banks|sectors|occupancy|roofline)(?:-line-(\d+))?/.exec(file);
    const words = { banks: 'Banks of shared memory', sectors: 'Sectors of global memory', occupancy: 'Occupancy', roofline: 'Roofline' };
    return found ? words[found[1]] + (found[2] ? `, line ${found[2]}` : '') : file;
  };

  function counters_table(e) {
    const rows = Object.entries(e.counters).filter(([, c]) => c.value !== null && c.trust !== 'unavailable' && c.value !== 0);
    return table(`Counters of ${title_of(e)}, all launches`, [
      ['metric', ([name]) => make('code', {}, name), { sort: ([name]) => name }],
      ['value', ([, c]) => c.unit === '%' ? `${c.value.toFixed(1)}%` : c.value.toLocaleString('en', { maximumFractionDigits: 2 }), { number: true, sort: ([, c]) => c.value }],
      ['unit', ([, c]) => c.unit], ['trust', ([, c]) => c.trust]], rows);
  }

  // Pictures are packed; all of them are unpacked when the first is to be seen.
  let unpacked = null;
  async function unpack() {
    const packed = Uint8Array.from(atob(document.getElementById('pictures').textContent), c => c.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'))).text());
  }
  function pictures_view(e, i) {
    if (!e.pictures.length) return null;
    const box = make('div', { class: 'pictures' });
    const fill = async () => {
      if (box.children.length) return;
      box.append(make('p', { class: 'faint' }, 'unpacking…'));
      try {
        unpacked ??= unpack();
        const svgs = (await unpacked)[i];
        box.replaceChildren(...e.pictures.map((file, k) => [picture_title(file), picture(svgs[k], picture_title(file))]).filter(([, svg]) => svg)
          .map(([title, svg]) => make('figure', {}, make('figcaption', {}, title), svg)));
      } catch (error) {
        box.replaceChildren(make('p', { class: 'note' }, 'This browser cannot unpack the pictures.'));
      }
    };
    const kinds = [...new Set(e.pictures.map(file => picture_title(file).split(',')[0].toLowerCase()))].join(', ');
    const open = data.explanations.length < FEW;
    if (open) fill();
    return make('details', { open, toggle: fill }, make('summary', {}, `${counted(e.pictures.length, 'picture')}: ${kinds}`), box);
  }

  // What an explanation shows below its findings is made when it comes near, is linked to or printed, where there are many.
  const FEW = 6;
  const unmade = new Map();
  const make_details = card => { const fill = unmade.get(card); if (fill) { unmade.delete(card); coming.unobserve(card); fill(); } };
  const coming = new IntersectionObserver(entries => { for (const entry of entries) if (entry.isIntersecting) make_details(entry.target); }, { rootMargin: '600px' });

  function explanation_section() {
    if (!data.explanations.length) return;
    const { element, link } = section('Explanations', 'explanations', 'What the hardware’s counters would say, line by line, counted without a GPU: each kernel ran on CPU threads and was traced.');
    const grid = make('div', { class: 'cards' });
    data.explanations.forEach((e, i) => {
      const id = `explained-${i + 1}`;
      const { files, line_id } = files_of(e, id);
      const gain_of = (f, e) => !e.findings.some(other => other.gain_of === 'streams') ? '' : f.gain_of === 'streams' ? ' of all work' : ' of the kernels\u2019 time';
      const place_link = p => {
        if (!p || !p.file) return null;
        const text = `${p.file}:${p.line}`;
        return files.length ? make('a', { href: `#${line_id(p.file, p.line)}`, class: 'code' }, text) : make('code', {}, text);
      };
      const count = e.findings.length;
      const problem = Object.entries(e.problem).filter(([k]) => !['seed', 'variant', 'input'].includes(k)).map(([, v]) => v).join('x');
      const estimate = e.estimate ? `Estimate for ${e.estimate.gpu}${e.estimate.size ? `, ${e.estimate.size}` : ''}: about ${estimate_time(e.estimate).slice(2)} (${estimate_band(e.estimate)})${e.estimate.limit_s > 0 ? `, ${percent(Math.min(1, e.estimate.limit_s / estimated(e.estimate)))} of the limit of ${time(e.estimate.limit_s)}` : ''}, bound by ${e.estimate.bound}.` : '';
      const diverging = e.kernels.flatMap(k => k.lines || []).reduce((sum, line) => [sum[0] + line.branches, sum[1] + line.divergent], [0, 0]);
      const details = make('div');
      link(title_of(e), id);
      grid.append(card({ operation: e.operation, device: e.estimate ? `${e.estimate.gpu} (estimate)` : e.device, dtype: e.dtype, text: [title_of(e), e.lesson, ...e.findings.map(f => `${f.rule} ${f.evidence} ${f.remedy} ${f.place ? f.place.file : ''}`)].join(' ') }, { class: 'card wide long', id },
        make('h3', {}, title_of(e), ' ', make('span', { class: 'faint' }, [problem, problem && e.dtype, e.gpu && `for an ${e.gpu}`].filter(Boolean).join(' '))),
        e.lesson ? make('p', {}, e.lesson) : null,
        e.reason ? make('p', { class: 'bad' }, `${e.verdict}: ${e.reason}`) : null,
        make('p', { class: 'faint' }, e.kernels.map(k => `${k.kernel}<<<${k.grid.join('×')}, ${k.block.join('×')}>>>`).slice(0, 4).join(', ') + (e.kernels.length > 4 ? ` and ${e.kernels.length - 4} launches more` : '')),
        estimate ? make('p', {}, estimate) : null,
        make('h4', {}, count ? `${count} ${count === 1 ? 'finding' : 'findings'}` : 'No findings'),
        count ? make('ol', { class: 'findings' }, e.findings.map((f, k) => make('li', { class: f.severity, id: `${id}-finding-${k + 1}`, tabindex: -1 },
          make('strong', {}, `${k + 1}. ${f.rule.replaceAll('_', ' ')} `), make('span', { class: `badge ${f.severity === 'error' ? 'bad' : f.severity === 'warning' ? 'poor' : 'accent'}` }, f.severity), ' ', place_link(f.place),
          f.other_place ? [' and ', place_link(f.other_place)] : null,
          (f.also || []).length ? [', the same cause: ', f.also.map((pair, n) => [n ? ', ' : '', place_link(pair.place), pair.other_place ? [' and ', place_link(pair.other_place)] : ''])] : null,
          make('p', {}, f.gain ? `saves ${percent(f.gain)}${gain_of(f, e)}, modelled: ${f.evidence}` : f.evidence), make('p', { class: 'faint' }, f.remedy)))) : null,
        diverging[0] ? make('p', {}, `Divergence: ${diverging[1].toLocaleString('en')} of ${diverging[0].toLocaleString('en')} branches that warps took had lanes on both sides (${percent(diverging[1] / diverging[0])}).`) : null,
        details));
      const shown = grid.lastElementChild;
      unmade.set(shown, () => details.append(...[files.length ? [make('h4', {}, 'Source with counters'), source_view(e, id)] : null, pictures_view(e, i),
        make('details', {}, make('summary', {}, 'Counters'), counters_table(e))].flat().filter(Boolean)));
      if (data.explanations.length < FEW) make_details(shown);
      else coming.observe(shown);
    });
    element.append(grid);
  }

  // ---- Timelines ----------------------------------------------------------------------------------------------------
  function timeline_section() {
    const all = data.timelines.flatMap(document => document.timelines);
    if (!all.length) return;
    const { element, link } = section('Timelines', 'timelines', 'What each engine and stream did over time. Zoom with the buttons, with + and −, or by dragging across the chart; arrows with Shift move.');
    const grid = make('div', { class: 'cards' });
    for (const t of all) {
      const engines = [...new Set(t.spans.map(s => s.engine))];
      const streams = [...new Set(t.spans.map(s => s.stream))].sort((a, b) => a - b);
      const rows = [...engines.map(name => ({ name, spans: t.spans.filter(s => s.engine === name) })), ...streams.map(s => ({ name: `stream ${s}`, spans: t.spans.filter(span => span.stream === s) }))];
      const whole = [0, t.seconds || Math.max(...t.spans.map(s => s.end_s), 1e-9)];
      const view = [...whole];
      const id = slug(`timeline ${t.operation} ${t.rung}`);
      let chart = null;
      const range = make('output', { class: 'faint', 'aria-live': 'polite' });
      const apply = () => {
        range.textContent = `${time(view[0])} to ${time(view[1])}`;
        if (!chart) return;
        Object.assign(chart.options.scales.x, { min: view[0], max: view[1] });
        chart.update('none');
      };
      const set = (from, to) => {
        const length = Math.min(whole[1], Math.max(to - from, whole[1] / 1e5));
        view[0] = Math.max(0, Math.min(from, whole[1] - length));
        view[1] = view[0] + length;
        apply();
      };
      const zoom = (factor, at = 0.5) => { const length = (view[1] - view[0]) * factor, centre = view[0] + at * (view[1] - view[0]); set(centre - at * length, centre + (1 - at) * length); };
      const move = share => set(view[0] + share * (view[1] - view[0]), view[1] + share * (view[1] - view[0]));
      const button = (text, says, act) => make('button', { type: 'button', 'aria-label': `${says}, ${t.rung}`, click: act }, text);
      const about_engines = Object.entries(t.engines).filter(([, v]) => v.busy_s > 0);
      const shown = figure(`${t.source}${t.by ? ` by ${t.by}` : ''}; ${time(whole[1])} in all${t.critical_engine ? `; ${t.critical_engine} works ${percent(t.overlap_efficiency)} of it` : ''}.`, 70 + 26 * rows.length, canvas => {
        chart = Charts.timeline(canvas, { rows, engines, view });
        apply();
        return chart;
      }, () => table(`Engines of ${t.rung}`, [['engine', ([name]) => name], ['busy', ([, v]) => time(v.busy_s), { number: true, sort: ([, v]) => v.busy_s }], ['of the time', ([, v]) => percent(v.busy_s / whole[1]), { number: true, sort: ([, v]) => v.busy_s }], ['gaps', ([, v]) => String(v.gaps), { number: true, sort: ([, v]) => v.gaps }], ['idle between', ([, v]) => time(v.gaps_s), { number: true, sort: ([, v]) => v.gaps_s }]], about_engines),
      `Timeline of ${t.operation}/${t.rung}: ${about_engines.map(([name, v]) => `${name} busy ${time(v.busy_s)}`).join(', ')} of ${time(whole[1])}`);
      const canvas = shown.querySelector('canvas');
      if (canvas) {
        const share_at = event => { const box = chart.chartArea, x = event.clientX - canvas.getBoundingClientRect().left; return Math.max(0, Math.min(1, (x - box.left) / (box.right - box.left))); };
        canvas.addEventListener('wheel', event => { if (!event.ctrlKey || !chart) return; event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, share_at(event)); }, { passive: false });
        let from = null;
        canvas.addEventListener('pointerdown', event => { if (chart && event.button === 0) from = share_at(event); });
        canvas.addEventListener('pointerup', event => {
          if (from === null) return;
          const to = share_at(event), [low, high] = [Math.min(from, to), Math.max(from, to)], length = view[1] - view[0];
          from = null;
          if (high - low > 0.02) set(view[0] + low * length, view[0] + high * length);
        });
        canvas.addEventListener('dblclick', () => set(...whole));
        canvas.addEventListener('keydown', event => {
          const act = { '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: () => set(...whole) }[event.key]
            || (event.shiftKey && { ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25) }[event.key]);
          if (act) { event.preventDefault(); event.stopImmediatePropagation(); act(); }
        }, true);
      }
      link(`${t.operation}/${t.rung}`, id);
      grid.append(card({ operation: t.operation, device: t.device, dtype: '', text: `${t.operation} ${t.rung} ${t.problem} timeline` }, { id, class: 'card wide' },
        make('h3', {}, `${t.operation}/${t.rung} `, make('span', { class: 'faint' }, `${t.problem} on ${t.device}`)),
        Charts.there ? make('div', { class: 'tools' }, button('+', 'Zoom in', () => zoom(0.5)), button('−', 'Zoom out', () => zoom(2)), button('←', 'Earlier', () => move(-0.25)), button('→', 'Later', () => move(0.25)), button('All', 'The whole time', () => set(...whole)), range) : null,
        shown, (t.notes || []).map(note => make('p', { class: 'faint' }, note))));
    }
    element.append(grid);
  }

  // ---- Where it was made --------------------------------------------------------------------------------------------
  const facts_table = (title, facts) => table(title, [['', ([name]) => name], ['', ([, value]) => String(value)]], Object.entries(facts), { sortable: false });
  function times_section() {
    if (!data.times.length) return;
    const { element } = section('Neighbour lists', 'times', 'Lists of a file’s particles, timed from the device and from the host.');
    const median = samples => { const sorted = [...samples].sort((a, b) => a - b), m = (sorted.length - 1) / 2; return sorted.length ? (sorted[Math.floor(m)] + sorted[Math.ceil(m)]) / 2 : null; };
    const rows = data.times.flatMap(d => d.times.map(t => ({ ...d, ...t, median: median(t.samples_s) })));
    element.append(card({ operation: 'neighbors', text: 'neighbors neighbour lists', any: true }, { class: 'card wide' }, table('Times of neighbour lists', [
      ['list', r => `${r.atoms.toLocaleString('en')} atoms, cutoff ${r.cutoff} Å`, { sort: r => r.atoms }], ['type', r => r.dtype], ['device', r => r.device], ['what', r => String(r.what)], ['clock', r => String(r.clock)], ['caches', r => String(r.caches ?? '')],
      ['pairs', r => r.pairs.toLocaleString('en'), { number: true, sort: r => r.pairs }], ['time', r => time(r.median), { number: true, sort: r => r.median }]], rows)));
  }
  function environment() {
    const { element } = section('Environment', 'environment', 'Where and with what these figures were made.');
    const grid = make('div', { class: 'cards' });
    for (const document of data.surveys)
      for (const device of document.devices) grid.append(make('article', { class: 'card' }, make('details', {}, make('summary', {}, `Device ${device.title}: ${device.facts.name || ''}`), facts_table(`Facts of ${device.title}`, device.facts))));
    const alike = group(data.sources, s => JSON.stringify(Object.entries(s.environment).filter(([k]) => k !== 'date')));
    for (const list of alike.values()) {
      const { date, ...facts } = list[0].environment;
      const dates = list.map(s => s.environment.date).filter(Boolean).sort();
      grid.append(make('article', { class: 'card' }, make('h3', {}, list.length === 1 ? list[0].name : `${list.length} sources`),
        list.length > 1 ? make('p', { class: 'faint' }, list.map(s => s.name).join(', ')) : null,
        facts_table('Environment', { ...facts, ...(dates.length ? { date: dates.length > 1 && dates[0] !== dates.at(-1) ? `${dates[0]} to ${dates.at(-1)}` : dates[0] } : {}) })));
    }
    element.append(grid);
  }

  // ---- Filters and theme --------------------------------------------------------------------------------------------
  const form = { search: document.getElementById('search'), operation: document.getElementById('operation'), device: document.getElementById('device'), dtype: document.getElementById('dtype') };
  function filter() {
    const words = form.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = each => each.any
      || ((!form.operation.value || each.operation === form.operation.value || (each.operations || []).includes(form.operation.value))
      && (!form.device.value || each.device === form.device.value) && (!form.dtype.value || !each.dtype || each.dtype === form.dtype.value)
      && words.every(word => each.text.includes(word)));
    let shown = 0;
    const counted = cards.filter(each => !each.any);
    for (const each of cards) {
      each.element.hidden = !fits(each);
      if (!each.any && !each.element.hidden) ++shown;
      if (each.update) each.update(fits);
    }
    for (const grid of main.querySelectorAll('.cards')) grid.hidden = grid.children.length > 0 && [...grid.children].every(child => child.hidden);
    document.getElementById('shown').textContent = shown === counted.length ? '' : `${shown} of ${counted.length} shown`;
  }
  function filters() {
    const fill = (select, values) => select.replaceChildren(make('option', { value: '' }, 'all'), ...[...new Set(values)].filter(Boolean).sort().map(value => make('option', { value }, value)));
    fill(form.operation, cards.flatMap(each => each.operations || [each.operation]));
    fill(form.device, cards.map(each => each.device));
    fill(form.dtype, cards.map(each => each.dtype));
    form.search.addEventListener('input', filter);
    for (const select of [form.operation, form.device, form.dtype]) select.addEventListener('change', filter);
    form.operation.addEventListener('change', () => { for (const each of figures) if (each.chart && each.box.closest('[data-roof]')) each.draw(true); });
    document.getElementById('filters').addEventListener('submit', event => event.preventDefault());
    document.getElementById('print').addEventListener('click', () => window.print());
    const theme = document.getElementById('theme');
    theme.addEventListener('change', () => {
      if (theme.value) document.documentElement.dataset.theme = theme.value;
      else delete document.documentElement.dataset.theme;
      redraw();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
    // On paper everything is there, in dark ink.
    let before = '';
    window.addEventListener('beforeprint', () => {
      before = document.documentElement.dataset.theme || '';
      document.documentElement.dataset.theme = 'light';
      for (const card of [...unmade.keys()]) make_details(card);
      for (const each of figures) each.draw(true);
    });
    window.addEventListener('afterprint', () => {
      if (before) document.documentElement.dataset.theme = before;
      else delete document.documentElement.dataset.theme;
      redraw();
    });
  }
  // A link to what is filtered away or folded shows it.
  function follow() {
    const name = decodeURIComponent(location.hash.slice(1)), explained = document.getElementById((/^explained-\d+/.exec(name) || [''])[0]);
    if (explained) make_details(explained);
    const target = document.getElementById(name);
    if (!target) return;
    if (target.closest('[hidden]')) {
      form.search.value = form.operation.value = form.device.value = form.dtype.value = '';
      filter();
    }
    if (target.tagName === 'TR') return show_row(target);
    for (let up = target; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
    target.scrollIntoView({ behavior: 'instant' });  // on a long way what is made meanwhile would move it
    if (target.hasAttribute('tabindex')) target.focus({ preventScroll: true });
  }

  document.getElementById('title').textContent = data.title;
  if (!Charts.there) {
    document.getElementById('licence').remove();
    main.append(make('p', { class: 'note' }, 'This page was made without a library of charts (libjs-chart.js when lanework is built): tables stand in their place.'));
  }
  comparison();
  overview();
  ladder_section();
  explanation_section();
  rooflines();
  size_section();
  timeline_section();
  times_section();
  environment();
  const bad = data.results.filter(r => r.verdict === 'wrong' || r.verdict === 'failed').length;
  const first_bad = ladders.find(l => l.rungs.some(r => r.verdict === 'wrong' || r.verdict === 'failed'));
  document.getElementById('summary').textContent = [counted(data.sources.length, 'source'), `${counted(data.results.length, 'result')} of ${counted(new Set(data.results.map(r => r.operation)).size, 'operation')}`,
    data.explanations.length && `${data.explanations.length} explained, ${counted(data.explanations.reduce((sum, e) => sum + e.findings.length, 0), 'finding')}`].filter(Boolean).join(' · ');
  if (bad) document.getElementById('summary').append(' · ', make(first_bad ? 'a' : 'span', { class: 'bad', href: first_bad ? `#${first_bad.id}` : null }, `${bad} wrong or failed`));
  document.getElementById('contents').append(contents);
  filters();
  filter();
  window.addEventListener('hashchange', follow);
  if (location.hash) follow();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
