/*
 * Draws a race: a lane for each worker, and the document between them. Time runs to the
 * right, or down where there is no room for that.
 *
 * All is placed by two coordinates: t, along the time, and c, across it.
 */

const SVG = 'http://www.w3.org/2000/svg';

const SEQUENCES = 1000000n;

/** Between the edge of a mark and what comes next. */
const GAP = 14;

/** Half of the mark of a refusal, which stands at the edge of the document. */
const REFUSAL = 16;

/** What a worker did to the document, and what stands beside it. */
const DEEDS = { read: 'R', wrote: 'W', committed: 'C', rejected: '✕', waiting: '…' };

const measuring = document.createElement('canvas').getContext('2d');

/** A token as people read it: generation and number of the write. */
export function fullToken(token) {
	return `${BigInt(token) / SEQUENCES}.${BigInt(token) % SEQUENCES}`;
}

/** Milliseconds since the race began. */
export function offset(race, event) {
	return Math.round(Date.parse(event.at) - Date.parse(race.events[0].at));
}

/** An event in words. */
export function say(event) {
	switch (event.event) {
		case 'acquired': return 'gets the lease';
		case 'requested': return 'asks for the lease, which is taken';
		case 'leaseExpired': return 'freezes for longer than its lease: the lease is over';
		case 'paused': return 'freezes';
		case 'resumed': return 'wakes up';
		case 'read': return `reads “${event.title}”`;
		case 'waiting': return 'wants to write, and waits for the row that A has written';
		case 'wrote': return `writes “${event.title}”`;
		case 'committed': return `commits: the document is now “${event.title}”`;
		case 'rejected': return `is refused by the ${event.guard} guard (${event.reason}): ${fullToken(event.token)} is older `
			+ `than ${event.acceptedToken ? fullToken(event.acceptedToken) : 'what was accepted'}`;
		case 'released': return 'gives the lease back';
		default: return event.event;
	}
}

/** Draw the races into their boxes, which are equally wide. What they have in common has the same place in both. */
export function drawRaces(races, boxes) {
	if (races.length === 0) {
		return;
	}
	const width = boxes[0].clientWidth;
	const font = getComputedStyle(boxes[0]).fontFamily;
	let frame = rightwards(width);
	let moments = placed(races, frame, font);
	if (moments.some(({ least }) => least > frame.end)) {
		frame = downwards(width, Math.max(...moments.flat().map(({ time }) => widthOf({ text: String(time), kind: 'value' }, font))));
		moments = placed(races, frame, font);
	}
	races.forEach((race, index) => boxes[index].replaceChildren(picture(race, moments[index], frame)));
}

function placed(races, frame, font) {
	const moments = races.map((race) => momentsOf(race, frame, font));
	place(moments, frame);
	return moments;
}

// ---- where things are across the time

function rightwards(width) {
	return {
		vertical: false, width, start: 100, end: width - 4,
		doc: [116, 152], captions: { A: 15, B: 261 }, bars: { A: [24, 58], B: [210, 244] },
		labels: { A: 75, B: 171 }, axis: 276, height: 300, line: 14
	};
}

function downwards(width, ticks) {
	const bar = 26;
	const left = ticks + 8;
	const doc = 72;
	const zone = (width - left - 2 * bar - doc) / 2;
	return {
		vertical: true, width, start: 44, end: undefined, room: 180,
		doc: [left + bar + zone, left + bar + zone + doc], bars: { A: [left, left + bar], B: [width - bar, width] },
		labels: { A: left + bar + 6, B: width - bar - 6 }, axis: left - 6, line: 14
	};
}

// ---- what is shown of each event

function momentsOf(race, frame, font) {
	const short = shortener(race);
	const committed = new Set();
	let expired = false;
	return race.events.map((event) => {
		expired ||= event.event === 'leaseExpired';
		const moment = { event, time: offset(race, event), precise: Date.parse(event.at) };
		moment.lines = linesOf(event, short, frame, expired && event.worker === 'A');
		moment.inRow = !frame.vertical && !(event.event in DEEDS);
		moment.needs = new Map();
		if (moment.lines.length > 0) {
			moment.needs.set(`${event.worker} ${moment.inRow ? 'row' : 'block'}`, roomFor(moment, frame, font));
		}
		if (event.event === 'committed') {
			moment.lost = [...committed].filter((worker) => !event.title.includes(` +${worker}`));
			committed.add(event.worker);
			const value = event.title + moment.lost.map((worker) => ` +${worker} lost`).join('');
			moment.needs.set('document', frame.vertical ? 30 + 16 * (1 + moment.lost.length)
				: widthOf({ text: value, kind: 'strip' }, font) + 18);
		}
		if (event.event === 'rejected') {
			moment.needs.set('document', REFUSAL);
		}
		return moment;
	});
}

function roomFor({ event, lines, inRow }, frame, font) {
	const refused = event.event === 'rejected';
	if (frame.vertical) {
		return lines.length * frame.line + (refused ? 29 : 16);
	}
	const widths = lines.map((line) => widthOf(line, font));
	return (inRow ? widths.reduce((sum, one) => sum + one + 4, 0) : Math.max(...widths)) + (refused ? 27 : 18);
}

function linesOf(event, short, frame, late) {
	const token = event.token ? [{ text: short(event.token), kind: 'token', title: fullToken(event.token) }] : [];
	switch (event.event) {
		case 'acquired': return [{ text: 'lease', kind: 'word' }, ...token];
		case 'leaseExpired': return [{ text: 'lease over', kind: 'over' }];
		case 'resumed': return [{ text: 'wakes up', kind: 'word' }];
		case 'read': return [{ text: 'reads', kind: 'word' }, { text: event.title, kind: 'value' }];
		case 'waiting': return [{ text: 'waits', kind: 'word' }, { text: 'for A’s row', kind: 'value' }];
		case 'wrote': return [{ text: 'writes', kind: 'word' }, { text: event.title, kind: 'value' }, ...token];
		case 'committed': return [{ text: 'commits', kind: 'word' }, ...(late ? [{ text: 'no lease', kind: 'over' }] : [])];
		case 'rejected': return [
			{ text: 'is refused', kind: 'refused' },
			...token.map((line) => ({ ...line, text: frame.vertical ? line.text : `${line.text} is older` })),
			...(frame.vertical ? [{ text: 'older than', kind: 'token' }] : []),
			...(event.acceptedToken ? [{ text: `${frame.vertical ? '' : 'than '}${short(event.acceptedToken)}`, kind: 'token',
				title: fullToken(event.acceptedToken) }] : [])
		];
		default: return [];
	}
}

function widthOf(line, font) {
	const plain = line.kind === 'value' || line.kind === 'token';
	measuring.font = `${plain ? 400 : 650} ${line.kind === 'strip' ? 13 : 12}px ${font}`;
	return measuring.measureText(line.text).width;
}

/** Leaves out the digits with which the generations of a race begin all alike. */
function shortener(race) {
	const generations = race.events.flatMap((event) => [event.token, event.acceptedToken])
		.filter(Boolean).map((token) => fullToken(token).split('.')[0]);
	let alike = 0;
	while (generations.length > 0 && alike < generations[0].length - 4
			&& generations.every((one) => one.length === generations[0].length && one[alike] === generations[0][alike])) {
		alike++;
	}
	return (token) => (alike > 0 ? '…' : '') + fullToken(token).slice(alike);
}

// ---- where things are along the time

/** Each event comes after the one before, with room for what stands beside it; what is left of the length goes to the waits. */
function place(races, frame) {
	const [one, other = one] = races;
	let shared = 0;
	while (shared < one.length && shared < other.length && key(one[shared]) === key(other[shared])) {
		shared++;
	}
	for (const moments of races) {
		let elapsed = 0;
		let previous = frame.start - GAP;
		const free = new Map();
		moments.forEach((moment, index) => {
			if (index > 0) {
				elapsed += (index < shared) ? (passed(one, index) + passed(other, index)) / 2 : passed(moments, index);
			}
			const twins = (index < shared) ? [one[index], other[index]] : [moment];
			const tracks = new Set(twins.flatMap((twin) => [...twin.needs.keys()]));
			const from = Math.max(previous + gap(moment, moments[index - 1]), ...[...tracks].map((track) => (free.get(track) ?? 0) + before(moment, track)));
			tracks.forEach((track) => free.set(track, from + Math.max(...twins.map((twin) => twin.needs.get(track) ?? 0))));
			previous = from;
			Object.assign(moment, { from, elapsed });
		});
		moments.least = Math.max(previous + GAP, ...free.values());
		moments.elapsed = elapsed;
	}
	const longest = Math.max(...races.map((moments) => moments.least));
	const end = frame.end ?? longest + frame.room;
	const scale = Math.max(0, Math.min(...races.map((moments) => (end - moments.least) / Math.max(1, moments.elapsed))));
	for (const moments of races) {
		moments.forEach((moment) => moment.t = moment.from + scale * moment.elapsed);
		moments.end = end;
	}
}

function before(moment, track) {
	return (track === 'document' && moment.event.event === 'rejected') ? REFUSAL : 0;
}

function key(moment) {
	return `${moment.event.worker} ${moment.event.event}`;
}

function passed(moments, index) {
	return Math.max(0, moments[index].precise - moments[index - 1].precise);
}

function gap(moment, previous) {
	return (previous && previous.event.worker === moment.event.worker) ? GAP + 8 : GAP;
}

// ---- the picture

function picture(race, moments, frame) {
	const length = moments.end;
	const height = frame.vertical ? length + 8 : frame.height;
	const svg = node('svg', {
		viewBox: `0 0 ${frame.width} ${height}`, width: frame.width, height, role: 'img',
		'aria-label': `${race.fenced ? 'Fenced' : 'Unfenced'} race, as a time line. `
			+ moments.map((moment) => `${moment.time} ms: ${moment.event.worker} ${say(moment.event)}.`).join(' ')
			+ ` ${race.verdict}.`
	});
	const pen = penFor(svg, frame);
	pen.hatch('hatch-held');
	pen.hatch('hatch-over');
	names(pen, race, frame);
	axis(pen, moments, frame);
	lanes(pen, moments, frame);
	documentStrip(pen, race, moments, frame);
	moments.forEach((moment) => deed(pen, moment, frame));
	return svg;
}

function names(pen, race, frame) {
	const middle = (range) => (range[0] + range[1]) / 2;
	for (const worker of ['A', 'B']) {
		const c = middle(frame.bars[worker]);
		pen.badge(frame.vertical ? 14 : 12, c, worker);
	}
	const note = race.fenced ? 'checks tokens' : 'checks nothing';
	if (frame.vertical) {
		pen.text(11, middle(frame.doc), 'Document', 'word', 'middle');
		pen.text(26, middle(frame.doc), note, 'note', 'middle');
	}
	else {
		pen.text(0, middle(frame.doc) - 2, 'Document', 'word');
		pen.text(0, middle(frame.doc) + 13, note, 'note');
	}
}

function axis(pen, moments, frame) {
	const important = ['acquired', 'leaseExpired', 'resumed', 'rejected', 'committed'];
	const rank = (moment) => (important.indexOf(moment.event.event) + important.length + 1) % (important.length + 1);
	const room = frame.vertical ? 13 : 34;
	const shown = [];
	if (!frame.vertical) {
		pen.line(frame.start, frame.axis, moments.end, frame.axis, 'axis');
	}
	for (const moment of [...moments].sort((a, b) => rank(a) - rank(b))) {
		if (shown.every((other) => Math.abs(other.t - moment.t) >= room && other.time !== moment.time)) {
			shown.push(moment);
		}
	}
	for (const moment of shown) {
		if (frame.vertical) {
			pen.text(moment.t + 4, frame.axis, String(moment.time), 'tick', 'end');
		}
		else {
			pen.line(moment.t, frame.axis, moment.t, frame.axis + 5, 'axis');
			pen.text(moment.t, frame.axis + 18, String(moment.time), 'tick', 'middle');
		}
	}
}

function lanes(pen, moments, frame) {
	const at = (worker, ...types) => moments.find(({ event }) => event.worker === worker && types.includes(event.event))?.t;
	for (const worker of ['A', 'B']) {
		const bar = frame.bars[worker];
		const acquired = at(worker, 'acquired');
		if (acquired === undefined) {
			continue;
		}
		const last = moments.filter(({ event }) => event.worker === worker).at(-1).t;
		const expired = at(worker, 'leaseExpired');
		const held = expired ?? at(worker, 'released') ?? last;
		const requested = at(worker, 'requested');
		if (requested !== undefined) {
			pen.rect(requested, acquired, bar, 'wait');
			pen.inside(requested, acquired, bar, ['waits for the lease', 'waits'], 'pill');
		}
		if (expired !== undefined) {
			pen.rect(expired, Math.max(last + 18, expired), bar, 'over');
		}
		pen.rect(acquired, held, bar, `lease lease-${worker}`);
		const paused = at(worker, 'paused');
		const resumed = at(worker, 'resumed');
		if (paused !== undefined && resumed !== undefined) {
			const border = Math.min(held, resumed);
			pen.rect(paused, border, bar, 'hatched', 'hatch-held');
			pen.inside(paused, border, bar, ['is frozen', 'frozen'], 'pill');
			if (border < resumed) {
				pen.rect(border, resumed, bar, 'hatched', 'hatch-over');
				pen.inside(border, resumed, bar, ['still frozen'], 'pill');
			}
		}
		if (expired !== undefined) {
			const across = frame.vertical ? [bar[0] - 2, frame.doc[0] - 4] : [bar[0] - 6, frame.axis];
			pen.line(expired, across[0], expired, across[1], 'border');
		}
	}
}

function documentStrip(pen, race, moments, frame) {
	const commits = moments.filter(({ event }) => event.event === 'committed');
	const values = [{ t: frame.start, title: race.initialTitle, lost: [] },
		...commits.map(({ t, event, lost }) => ({ t, title: event.title, lost, worker: event.worker }))];
	values.forEach((value, index) => {
		const end = values[index + 1]?.t ?? moments.end;
		pen.rect(value.t, end, frame.doc, `value-strip ${value.lost.length > 0 ? 'loses' : ''}`);
		pen.value(value, frame);
	});
	if (race.fenced) {
		for (const edge of frame.doc) {
			pen.line(frame.start, edge, moments.end, edge, 'fence');
		}
	}
}

function deed(pen, moment, frame) {
	const { event, t } = moment;
	const worker = event.worker;
	const bar = frame.bars[worker];
	const inner = worker === 'A' ? bar[1] : bar[0];
	const edge = worker === 'A' ? frame.doc[0] : frame.doc[1];
	const away = worker === 'A' ? -1 : 1;
	const center = (bar[0] + bar[1]) / 2;
	switch (event.event) {
		case 'read':
			pen.arrow(t, edge, inner, `arrow arrow-${worker}`);
			break;
		case 'wrote':
			pen.arrow(t, inner, edge + away * 3, `arrow arrow-${worker} open`);
			break;
		case 'committed':
			pen.arrow(t, inner, edge + away, `arrow arrow-${worker} strong`);
			break;
		case 'rejected':
			pen.line(t, inner, t, edge + away * 12, 'arrow arrow-refused strong');
			pen.mark(t, center, event.guard === 'row' ? 'wrote' : 'tried', worker, event.guard === 'row' ? DEEDS.wrote : DEEDS.committed);
			break;
	}
	if (event.event in DEEDS) {
		pen.mark(t, event.event === 'rejected' ? edge : center, event.event, worker, DEEDS[event.event],
				`${moment.time} ms: ${worker} ${say(event)}`);
	}
	pen.label(moment, frame);
}

/** Draws in t and c. */
function penFor(svg, frame) {
	const xy = (t, c) => frame.vertical ? [c, t] : [t, c];
	const add = (name, attributes, ...children) => {
		const created = node(name, attributes, ...children);
		svg.append(created);
		return created;
	};
	const id = `${Math.random().toString(36).slice(2)}-`;
	const pen = {
		hatch(name) {
			add('pattern', { id: id + name, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
				node('rect', { width: 2.5, height: 7, class: name }));
		},
		rect(t0, t1, [c0, c1], kind, pattern) {
			const [x, y] = xy(t0, c0);
			const [right, bottom] = xy(t1, c1);
			const rect = add('rect', { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y), rx: 4, class: kind });
			if (pattern) {
				rect.setAttribute('fill', `url(#${id}${pattern})`);
			}
		},
		line(t0, c0, t1, c1, kind) {
			const [x1, y1] = xy(t0, c0);
			const [x2, y2] = xy(t1, c1);
			add('line', { x1, y1, x2, y2, class: kind });
		},
		arrow(t, from, to, kind) {
			const back = Math.sign(from - to) * 7;
			pen.line(t, from, t, to + back, kind);
			const corners = [xy(t, to), xy(t - 4.5, to + back), xy(t + 4.5, to + back)];
			add('polygon', { points: corners.map((corner) => corner.join(',')).join(' '), class: `head ${kind}` });
		},
		text(t, c, text, kind, anchor = 'start') {
			const [x, y] = xy(t, c);
			return add('text', { x, y, class: kind, 'text-anchor': anchor }, text);
		},
		badge(t, c, worker) {
			const [x, y] = xy(t, c);
			add('circle', { cx: x, cy: y, r: 12, class: `mark-${worker}` });
			add('text', { x, y: y + 4.5, class: 'letter', 'text-anchor': 'middle' }, worker);
		},
		/** A mark differs from others in shape and letter. */
		mark(t, c, type, worker, letter, title) {
			const [x, y] = xy(t, c);
			const kind = type === 'rejected' ? 'mark-refused' : `mark-${worker}`;
			const group = add('g', { class: `mark mark-${type}` }, ...(title ? [node('title', {}, title)] : []));
			if (type === 'rejected') {
				group.append(node('circle', { cx: x, cy: y, r: REFUSAL - 2, class: kind }),
					node('path', { d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12`, class: 'cross' }));
				return;
			}
			if (type === 'wrote') {
				group.append(node('rect', { x: x - 10, y: y - 10, width: 20, height: 20, rx: 3, class: kind }));
			}
			else {
				group.append(node('circle', { cx: x, cy: y, r: 10.5, class: kind + (type === 'read' ? ' hollow' : '') }));
			}
			if (type === 'committed') {
				group.append(node('path', { d: `M${x - 5} ${y}l3.5 3.8l6.5 -7.6`, class: 'check' }));
			}
			else {
				group.append(node('text', { x, y: y + 4.2, class: `letter${type === 'read' ? ` hollow-${worker}` : ''}`,
					'text-anchor': 'middle' }, letter));
			}
		},
		/** The first of the texts that fits into a stretch, in the middle of it. */
		inside(t0, t1, [c0, c1], texts, kind) {
			const [x, y] = xy((t0 + t1) / 2, (c0 + c1) / 2);
			const text = texts.find((one) => pillWidth(one) + 6 < t1 - t0);
			if (!text) {
				return;
			}
			const wide = pillWidth(text);
			const group = add('g', frame.vertical ? { transform: `rotate(90 ${x} ${y})` } : {});
			group.append(node('rect', { x: x - wide / 2, y: y - 10, width: wide, height: 20, rx: 10, class: `behind ${kind}` }),
				node('text', { x, y: y + 4, class: kind, 'text-anchor': 'middle' }, text));
		},
		value({ t, title, lost }) {
			const middle = (frame.doc[0] + frame.doc[1]) / 2;
			const [first, ...marks] = title.split(/(?= \+)/).map((part) => node('tspan', { class: valueKind(part) }, part));
			const gone = lost.map((worker) => [node('tspan', { class: 'gone' }, `+${worker}`), node('tspan', { class: 'gone-note' }, ' lost')]);
			if (frame.vertical) {
				[[first], marks, ...gone].forEach((part, index) =>
					pen.text(t + 20 + 16 * index, middle, '', 'value', 'middle').append(...part));
			}
			else {
				pen.text(t + 10, middle + 4.5, '', 'value').append(first, ...marks, ...gone.flatMap((part) => [' ', ...part]));
			}
		},
		label({ event, lines, inRow, t }) {
			const worker = event.worker;
			const anchor = frame.vertical && worker === 'B' ? 'end' : 'start';
			if (inRow) {
				const text = pen.text(t + (event.event === 'acquired' ? 0 : 4), frame.captions[worker], '', 'word');
				text.append(...lines.flatMap((line, index) => [index > 0 ? ' ' : '', tspan(line)]));
				return;
			}
			const refused = event.event === 'rejected';
			const first = refused ? 27 : 14;
			lines.forEach((line, index) => {
				const along = frame.vertical ? t + first + index * frame.line : t + (refused ? 17 : 8);
				const across = frame.vertical ? frame.labels[worker] : frame.labels[worker] + index * frame.line;
				pen.text(along, across, '', 'word', anchor).append(tspan(line));
			});
		}
	};
	return pen;
}

function pillWidth(text) {
	return widthOf({ text, kind: 'value' }, 'system-ui, sans-serif') + 16;
}

function tspan(line) {
	return node('tspan', { class: line.kind }, ...(line.title ? [node('title', {}, line.title)] : []), line.text);
}

function valueKind(part) {
	return part === ' +A' ? 'by-A' : part === ' +B' ? 'by-B' : 'plain';
}

function node(name, attributes, ...children) {
	const created = document.createElementNS(SVG, name);
	for (const [attribute, value] of Object.entries(attributes)) {
		created.setAttribute(attribute, value);
	}
	created.append(...children);
	return created;
}
