// What Chart.js is asked to draw: a function for each kind of chart, from plain data. Colours are the page's own.
'use strict';
const Charts = (() => {
  const HUE = 8;
  const tone = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const hue = index => tone(`t${HUE + index % HUE}`);
  const clear = (colour, alpha) => colour + Math.round(alpha * 255).toString(16).padStart(2, '0');

  // Three significant digits and a unit: 0.00002061 → "20.6 µs".
  const scaled = (value, units, base) => {
    if (value === null || value === undefined || !isFinite(value)) return '–';
    let at = 0;
    let amount = value * base;
    while (at + 1 < units.length && Math.abs(amount) >= 999.5) { amount /= 1000; ++at; }
    return `${Number(amount.toPrecision(3))} ${units[at]}`;
  };
  const time = seconds => scaled(seconds, ['ns', 'µs', 'ms', 's'], 1e9);
  const bytes = amount => scaled(amount, ['B', 'kB', 'MB', 'GB', 'TB'], 1);
  const bandwidth = rate => scaled(rate, ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s', 'PB/s'], 1);
  const flops = rate => scaled(rate, ['FLOP/s', 'kFLOP/s', 'MFLOP/s', 'GFLOP/s', 'TFLOP/s', 'PFLOP/s'], 1);
  const percent = share => share === null || share === undefined ? '–' : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`;

  // Marks that Chart.js has no kind for: lines across the chart, whiskers on bars, words at their ends.
  const marks = {
    id: 'marks',
    afterDatasetsDraw(chart, _, options) {
      const { ctx, chartArea: area, scales: { x, y } } = chart;
      ctx.save();
      ctx.font = '12px system-ui, "DejaVu Sans", sans-serif';
      ctx.textBaseline = 'middle';
      for (const line of options.lines || []) {
        const at = x.getPixelForValue(line.at);
        if (at < area.left - 1 || at > area.right + 1) continue;
        ctx.strokeStyle = line.colour;
        ctx.lineWidth = 2;
        ctx.setLineDash(line.dashed ? [5, 4] : []);
        ctx.beginPath(); ctx.moveTo(at, area.top - 4); ctx.lineTo(at, area.bottom); ctx.stroke();
        ctx.fillStyle = line.colour;
        ctx.textAlign = at > (area.left + area.right) / 2 ? 'right' : 'left';
        ctx.fillText(line.text, at, area.top - 12 - 14 * (line.row || 0));
      }
      ctx.setLineDash([]);
      const bars = options.bars || [];
      const drawn = chart.getDatasetMeta(0).data;
      bars.forEach((bar, i) => {
        if (!drawn[i]) return;
        const middle = drawn[i].y;
        if (bar.at) {
          const at = x.getPixelForValue(bar.at);
          ctx.strokeStyle = tone('t0');
          ctx.lineWidth = 2;
          ctx.beginPath(); ctx.moveTo(at, middle - drawn[i].height / 2); ctx.lineTo(at, middle + drawn[i].height / 2); ctx.stroke();
        }
        let end = Math.max(area.left, x.getPixelForValue(bar.end)), inner = Math.min(x.getPixelForValue(bar.end), area.right);
        if (bar.whisker) {
          const [low, high] = bar.whisker.map(value => x.getPixelForValue(value));
          inner = Math.min(inner, low);
          ctx.strokeStyle = tone('t0');
          ctx.lineWidth = 1.5;
          ctx.beginPath();
          ctx.moveTo(low, middle); ctx.lineTo(high, middle);
          for (const at of [low, high]) { ctx.moveTo(at, middle - 4); ctx.lineTo(at, middle + 4); }
          ctx.stroke();
          end = Math.max(end, high);
        }
        const width = ctx.measureText(bar.text).width;
        // Words go inside a bar where behind it they would leave the chart or cross a line.
        const crossed = (options.lines || []).some(line => { const at = x.getPixelForValue(line.at); return at > end + 1 && at < end + 14 + width; });
        const behind = end + 8 + width <= chart.width - 2;
        const write = (at, align, colour) => { ctx.fillStyle = tone(colour); ctx.textAlign = align; ctx.fillText(bar.text, at, middle); };
        if (bar.at) {
          // The mark of an estimate would cross words in its band.
          const before = x.getPixelForValue(bar.start);
          if (behind && !crossed) write(end + 8, 'left', 't0');
          else if (before - x.left > width + 12) write(before - 6, 'right', 't0');
          else if (inner - x.getPixelForValue(bar.at) > width + 12) write(inner - 6, 'right', 't0');
          else if (behind) write(end + 8, 'left', 't0');
          return;
        }
        if (behind && !(crossed && end - area.left > width + 16)) write(end + 8, 'left', 't0');
        else if (inner - x.left >= width + 12) write(inner - 6, 'right', 't2');
      });
      ctx.restore();
    },
  };

  const base = () => ({
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    locale: 'en',
    color: tone('t0'),
    plugins: { legend: { display: false }, tooltip: { displayColors: false } },
  });
  const axis = (title, more = {}) => ({
    grid: { color: clear(tone('t1'), 0.6), ...more.grid },
    title: { display: Boolean(title), text: title, color: tone('t0') },
    ...more,
    ticks: { color: tone('t0'), ...more.ticks },
  });
  // Ticks at powers of ten; where the axis is shorter than two of them, at 2 and 5 of each, too.
  const log_ticks = scale => {
    const digits = scale.max / scale.min < 100 ? [1, 2, 5] : [1];
    const ticks = [];
    for (let power = Math.floor(Math.log10(scale.min)); power <= Math.log10(scale.max) + 1e-9; ++power)
      for (const digit of digits) {
        const value = Number(`${digit}e${power}`);
        if (value >= scale.min * (1 - 1e-9) && value <= scale.max * (1 + 1e-9)) ticks.push({ value });
      }
    if (ticks.length) scale.ticks = ticks;
  };
  const log_axis = (title, words) => axis(title, {
    type: 'logarithmic', afterBuildTicks: log_ticks, grid: { color: clear(tone('t1'), 0.8) },
    ticks: { maxRotation: 0, autoSkip: true, autoSkipPadding: 14, callback: value => words(value) },
  });

  // rows: {name, share: [from, to], whisker, text, kind: 'own'|'best'|'library'|'estimate', at, tooltip: [lines]}; an estimate stands at `at` in its band.
  function ladder(canvas, { rows, title, most, lines, decimal }) {
    const colour = { own: tone('t3'), best: tone('t4'), library: hue(3), estimate: hue(5) };
    const small = canvas.parentElement.clientWidth < 480;
    return new Chart(canvas, {
      type: 'bar',
      data: {
        labels: rows.map(row => row.name),
        datasets: [{
          data: rows.map(row => row.share),
          backgroundColor: rows.map(row => clear(colour[row.kind], row.kind === 'estimate' ? 0.55 : 0.9)),
          borderColor: rows.map(row => colour[row.kind]), borderWidth: 1, borderSkipped: false,
          barPercentage: 0.8, categoryPercentage: 0.86, minBarLength: 2,
        }],
      },
      options: {
        ...base(),
        indexAxis: 'y',
        layout: { padding: { top: 8 + 14 * Math.max(0, ...lines.map(line => 1 + (line.row || 0))), right: small ? 8 : most === 1 ? 40 : 16 } },
        scales: {
          x: axis(title, { min: 0, max: most, ticks: { includeBounds: false, maxTicksLimit: small ? 4 : 7, maxRotation: 0, callback: decimal } }),
          y: axis('', { grid: { display: false }, ticks: { autoSkip: false, crossAlign: 'far', font: { size: small ? 10 : 12 } } }),
        },
        plugins: { ...base().plugins, marks: { lines, bars: rows.map(row => ({ start: row.share[0], end: row.share[1], at: row.at, whisker: row.whisker, text: row.text })) },
                   tooltip: { displayColors: false, callbacks: { title: items => rows[items[0].dataIndex].name, label: item => rows[item.dataIndex].tooltip } } },
      },
      plugins: [marks],
    });
  }

  const point_tooltip = { displayColors: false, callbacks: { title: items => items[0].raw.name || items[0].dataset.label, label: item => item.raw.tooltip } };
  const shapes = ['circle', 'rectRot', 'triangle', 'rect', 'star', 'crossRot', 'rectRounded', 'cross'];

  // roof: {bandwidth, peak}; series: [{label, points: [{x, y, name, tooltip}]}].
  function roofline(canvas, { roof, series }) {
    const all = series.flatMap(each => each.points);
    const xs = all.map(p => p.x);
    const ridge = roof.peak > 0 ? roof.peak / roof.bandwidth : 0;
    const least = 10 ** Math.floor(Math.log10(Math.min(...xs, ridge || Infinity) / 1.5));
    const most = 10 ** Math.ceil(Math.log10(Math.max(...xs, ridge) * 1.5));
    const height = roof.peak > 0 ? roof.peak : Math.max(...all.map(p => p.y), most * roof.bandwidth);
    const foot = 10 ** Math.floor(Math.log10(Math.min(...all.map(p => p.y)) / 1.2));
    const sets = series.map((each, i) => ({
      label: each.label, data: each.points, backgroundColor: clear(hue(i), 0.8), borderColor: hue(i), borderWidth: 1.5,
      pointStyle: shapes[Math.floor(i / HUE + i) % shapes.length], radius: 5, hoverRadius: 8, showLine: false,
    }));
    const line = (label, points, colour) => ({ label, data: points, showLine: true, radius: 0, hitRadius: 0, hoverRadius: 0,
      borderColor: colour, borderWidth: 2.5, pointStyle: 'line' });
    const end = roof.peak > 0 ? Math.min(ridge, most) : most;
    sets.push(line(`memory: ${bandwidth(roof.bandwidth)}`, [{ x: Math.max(least, foot / roof.bandwidth), y: Math.max(least * roof.bandwidth, foot) }, { x: end, y: end * roof.bandwidth }], tone('t3')));
    if (roof.peak > 0) sets.push(line(`arithmetic: ${flops(roof.peak)}`, [{ x: ridge, y: roof.peak }, { x: most, y: roof.peak }], tone('t5')));
    return new Chart(canvas, {
      type: 'scatter',
      data: { datasets: sets },
      options: {
        ...base(),
        scales: { x: { ...log_axis('operations per byte', v => String(Number(v.toPrecision(1)))), min: least, max: most },
                  y: { ...log_axis('', flops), min: foot, max: height * 1.8 } },
        plugins: { legend: { display: true, position: 'bottom', labels: { color: tone('t0'), usePointStyle: true, boxHeight: 7 } },
                   tooltip: point_tooltip },
      },
    });
  }

  // series: [{label, points: [{x, y, tooltip}], line: [{x, y}] with each x once, library}]; words(x) is a tick.
  function sizes(canvas, { series, title, words }) {
    const small = canvas.parentElement.clientWidth < 480;
    const points = series.map((each, i) => ({
      label: each.label, data: each.points, showLine: false, borderColor: hue(i), backgroundColor: hue(i),
      pointStyle: shapes[Math.floor(i / HUE + i) % shapes.length], radius: 4, hoverRadius: 7 }));
    const lines = series.map((each, i) => ({
      label: '', data: each.line, showLine: true, radius: 0, hitRadius: 0, hoverRadius: 0, borderColor: hue(i), borderWidth: 2,
      borderDash: each.library ? [6, 4] : i >= HUE ? [2, 3] : [] }));
    // A name hides its points and its line.
    const toggle = (_, item, legend) => {
      const shown = !legend.chart.isDatasetVisible(item.datasetIndex);
      for (const at of [item.datasetIndex, item.datasetIndex + series.length]) legend.chart.setDatasetVisibility(at, shown);
      legend.chart.update();
    };
    return new Chart(canvas, {
      type: 'scatter',
      data: { datasets: [...points, ...lines] },
      options: {
        ...base(),
        scales: { x: log_axis(title, words), y: log_axis('time', time) },
        plugins: { legend: { display: true, position: small ? 'bottom' : 'right', onClick: toggle, labels: { color: tone('t0'), usePointStyle: true, boxHeight: 7, font: { size: 11 }, filter: item => item.text !== '' } },
                   tooltip: point_tooltip },
      },
    });
  }

  // Ticks of factors: round ones, on both sides of 1.
  const FACTORS = [1e-3, 0.01, 0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 5, 10, 100, 1e3];
  const factor_ticks = scale => { scale.ticks = FACTORS.filter(v => v >= scale.min && v <= scale.max).map(value => ({ value })); };

  // rows: {name, ratio, change, text, tooltip}: times after ÷ before, on a logarithmic axis around 1.
  function ratios(canvas, { rows }) {
    const colour = { slower: tone('t7'), faster: tone('t4') };
    const far = Math.max(1.1, ...rows.map(row => Math.max(row.ratio, 1 / row.ratio))) * 1.15;
    return new Chart(canvas, {
      type: 'bar',
      data: { labels: rows.map(row => row.name), datasets: [{
        data: rows.map(row => [Math.min(1, row.ratio), Math.max(1, row.ratio)]), minBarLength: 2, barPercentage: 0.8, categoryPercentage: 0.86,
        backgroundColor: rows.map(row => clear(colour[row.change] || tone('t1'), 0.9)) }] },
      options: {
        ...base(), indexAxis: 'y', layout: { padding: { top: 22, right: 16 } },
        scales: { x: axis('time after ÷ before', { type: 'logarithmic', min: 1 / far, max: far, afterBuildTicks: factor_ticks,
                    ticks: { maxRotation: 0, autoSkip: true, autoSkipPadding: 20, callback: v => `×${Number(v.toPrecision(3))}` } }),
                  y: axis('', { grid: { display: false }, ticks: { autoSkip: false, crossAlign: 'far' } }) },
        plugins: { ...base().plugins,
                   marks: { lines: [{ at: 1, text: 'as before', colour: tone('t0') }],
                            bars: rows.map(row => ({ end: Math.max(1, row.ratio), text: row.text })) },
                   tooltip: { displayColors: false, callbacks: { label: item => rows[item.dataIndex].tooltip } } },
      },
      plugins: [marks],
    });
  }

  // One timeline: rows are engines and streams, bars are pieces of work. Zoom moves the ends of the axis.
  function timeline(canvas, { rows, engines, view }) {
    const of = new Map(engines.map((name, i) => [name, hue(i)]));
    return new Chart(canvas, {
      type: 'bar',
      data: { labels: rows.map(row => row.name), datasets: engines.map(engine => ({
        label: engine, grouped: false, backgroundColor: clear(of.get(engine), 0.85), borderColor: tone('t2'), borderWidth: 0.5, borderSkipped: false, barPercentage: 0.9, categoryPercentage: 0.9, minBarLength: 1,
        data: rows.flatMap((row, at) => row.spans.filter(span => span.engine === engine)
          .map(span => ({ y: rows[at].name, x: [span.begin_s, span.end_s], span }))) })) },
      options: {
        ...base(), indexAxis: 'y', parsing: { xAxisKey: 'x', yAxisKey: 'y' },
        interaction: { mode: 'nearest', intersect: true },
        scales: { x: axis('', { min: view[0], max: view[1], ticks: { maxRotation: 0, maxTicksLimit: 8, callback: time } }),
                  y: axis('', { grid: { display: false }, ticks: { autoSkip: false } }) },
        plugins: { legend: { display: true, position: 'bottom', labels: { color: tone('t0'), boxHeight: 10, boxWidth: 14 } },
                   tooltip: { displayColors: false, callbacks: { title: items => items[0].raw.span.engine + ' ' + (items[0].raw.span.name || ''),
                     label: ({ raw: { span } }) => [`stream ${span.stream}${span.bytes ? ', ' + bytes(span.bytes) : ''}`,
                       `${time(span.begin_s)} to ${time(span.end_s)}: ${time(span.end_s - span.begin_s)}`] } } },
      },
    });
  }

  return { ladder, roofline, sizes, ratios, timeline, time, bytes, bandwidth, flops, percent, there: typeof Chart !== 'undefined' };
})();
