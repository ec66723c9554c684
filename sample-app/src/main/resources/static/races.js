/* Runs races on the server, and shows what it answers. */

import { watchEndpoint } from './endpoint.js';
import { drawRaces, fullToken, offset, say } from './picture.js';

const form = document.getElementById('settings');
const button = document.getElementById('run');
const status = document.getElementById('status');
const error = document.getElementById('error');
const races = document.getElementById('races');

const endpoint = watchEndpoint();
let results = [];
let running = false;

form.addEventListener('submit', (event) => {
	event.preventDefault();
	runBoth();
});

// A picture is drawn for the width that it has
let drawnWidth = 0;
new ResizeObserver(() => {
	if (races.clientWidth !== drawnWidth) {
		requestAnimationFrame(draw);
	}
}).observe(races);

runBoth();

async function runBoth() {
	if (running) {
		return;
	}
	setRunning(true);
	showError('');
	try {
		const settings = Object.fromEntries(new FormData(form));
		const started = performance.now();
		status.textContent = 'Running the unfenced race…';
		const unfenced = await race({ fenced: false, ...settings });
		status.textContent = 'Running the fenced race…';
		const fenced = await race({ fenced: true, ...settings });
		results = [unfenced, fenced];
		results.forEach(show);
		draw();
		status.textContent = `Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
	}
	catch (problem) {
		status.textContent = '';
		showError(problem.message, problem.field);
	}
	finally {
		setRunning(false);
		endpoint.refresh();
	}
}

async function race(request) {
	let response;
	let answer;
	try {
		response = await fetch('api/races', {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'Accept': 'application/json' },
			body: JSON.stringify(request)
		});
		answer = await response.json();
	}
	catch (failure) {
		throw new Error('The application does not answer. Is it still running?', { cause: failure });
	}
	if (!response.ok) {
		const problem = new Error(answer.detail ?? answer.title ?? `The application answered ${response.status}`);
		problem.field = answer.field;
		throw problem;
	}
	return answer;
}

// The button is not disabled, since it would lose the focus
function setRunning(value) {
	running = value;
	button.setAttribute('aria-disabled', String(value));
	button.textContent = value ? 'Running…' : 'Run again';
	races.setAttribute('aria-busy', String(value));
}

function showError(message, field) {
	error.textContent = message;
	for (const input of form.querySelectorAll('.field input')) {
		const wrong = input.name === field;
		input.toggleAttribute('aria-invalid', wrong);
		input.setAttribute('aria-describedby', wrong ? 'error' : 'times');
		if (wrong) {
			input.setAttribute('aria-invalid', 'true');
			input.focus();
		}
	}
}

function draw() {
	drawnWidth = races.clientWidth;
	drawRaces(results, results.map((result) => section(result).querySelector('.picture')));
}

function show(result) {
	const parts = section(result);
	parts.dataset.outcome = outcome(result);
	parts.querySelector('.verdict').textContent = result.verdict;
	parts.querySelector('.summary').textContent = result.summary + '.';
	parts.querySelector('.events').replaceChildren(table(result));
}

function section(result) {
	return document.getElementById(result.fenced ? 'fenced' : 'unfenced');
}

function outcome(result) {
	if (result.lostUpdate) {
		return 'lost';
	}
	const expired = result.events.some((event) => event.event === 'leaseExpired');
	return result.fenced || !expired ? 'kept' : 'luck';
}

function table(result) {
	const rows = result.events.map((event) => row('td', [`${offset(result, event)} ms`, event.worker, say(event),
		event.title ?? '', event.token ? fullToken(event.token) : '']));
	const head = element('thead', row('th', ['Time', 'Worker', 'What happened', 'Title', 'Token']));
	for (const cell of head.querySelectorAll('th')) {
		cell.scope = 'col';
	}
	const caption = element('caption', `${result.resource} was “${result.initialTitle}” and is “${result.finalTitle}”;`
		+ ` refused: ${result.rejected}`);
	return element('table', caption, head, element('tbody', ...rows));
}

function row(cell, texts) {
	return element('tr', ...texts.map((text) => element(cell, text)));
}

function element(name, ...children) {
	const created = document.createElement(name);
	created.append(...children);
	return created;
}
