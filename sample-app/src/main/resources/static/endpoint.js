/* Shows the answer of /actuator/fencing as it is now. */

const PERIOD = 3000;

const report = document.getElementById('report');
const total = document.getElementById('total');
const held = document.getElementById('held');
const asked = document.getElementById('asked');

export function watchEndpoint() {
	let shown = '';
	let shownNewest = '';
	let latest = 0;

	async function refresh() {
		const request = ++latest;
		try {
			const response = await fetch('actuator/fencing', { headers: { 'Accept': 'application/json' } });
			const text = await response.text();
			if (!response.ok) {
				throw new Error(`it answered ${response.status}`);
			}
			// Answers may overtake each other
			if (request === latest) {
				show(text);
				asked.textContent = `As of ${new Date().toLocaleTimeString()}.`;
			}
		}
		catch (failure) {
			if (request === latest) {
				asked.textContent = `The endpoint cannot be read: ${failure.message}.`;
			}
		}
	}

	function show(text) {
		if (text === shown) {
			return;
		}
		shown = text;
		const answer = JSON.parse(text);
		const newest = newestRejection(answer);
		total.textContent = answer.rejections?.total ?? '–';
		held.textContent = answer.leases?.length ?? '–';
		report.replaceChildren(...json(answer, newest));
		const at = JSON.stringify(newest ?? null);
		if (at !== shownNewest) {
			shownNewest = at;
			scrollTo(report.querySelector('mark'));
		}
	}

	setInterval(() => {
		if (!document.hidden) {
			refresh();
		}
	}, PERIOD);
	return { refresh };
}

function newestRejection(answer) {
	const recent = answer.rejections?.recent ?? [];
	return recent.reduce((newest, one) => (newest && newest.at >= one.at) ? newest : one, undefined);
}

// Only the box scrolls, not the page
function scrollTo(mark) {
	if (mark) {
		report.scrollTop += mark.getBoundingClientRect().top - report.getBoundingClientRect().top
			- report.clientHeight / 4;
	}
}

/** The value as indented JSON, as nodes: data never becomes markup. */
function json(value, newest, indent = '') {
	if (value === null || typeof value !== 'object') {
		return [span(typeof value, JSON.stringify(value))];
	}
	const [open, close] = Array.isArray(value) ? '[]' : '{}';
	const entries = Object.entries(value);
	if (entries.length === 0) {
		return [open + close];
	}
	const inner = indent + '  ';
	const lines = entries.flatMap(([name, child], index) => {
		const key = Array.isArray(value) ? [] : [span('key', JSON.stringify(name)), ': '];
		const end = (index < entries.length - 1) ? ',\n' : '\n';
		const line = [inner, ...key, ...json(child, newest, inner), end];
		return (child === newest) ? [marked(line)] : line;
	});
	return [open + '\n', ...lines, indent + close];
}

function marked(content) {
	const mark = document.createElement('mark');
	mark.append(...content);
	return mark;
}

function span(kind, text) {
	const created = document.createElement('span');
	created.className = `json-${kind}`;
	created.textContent = text;
	return created;
}
