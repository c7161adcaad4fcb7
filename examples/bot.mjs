// A whole bot with nothing but fetch: two guests play each other and a bot of the server.
//
// node examples/bot.mjs http://localhost:8666

const SERVER = process.argv[2] ?? 'http://localhost:8666';
const MAX_TRIES = 20;

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** What the server refuses: a code that is stable, and a sentence for people. */
class Refused extends Error {
  constructor({ code, message, retry_after }) {
    super(`${code}: ${message}`);
    Object.assign(this, { code, wait: retry_after ?? 1 });
  }
}

const SILENCE = { code: 'unreachable', message: 'Nobody answers.' };

/** Ask the server, again if it says "later" or nothing. */
async function ask(method, path, headers = {}, body = undefined) {
  const sent = { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  const request = { method, headers: sent, body: body && JSON.stringify(body) };
  for (let tries = 1; ; tries++) {
    const answer = await fetch(SERVER + path, request).catch(() => null);
    if (answer?.ok) return answer;
    const refused = new Refused(answer ? (await answer.json()).error : SILENCE);
    const later = !answer || [429, 503].includes(answer.status);
    if (!later || tries === MAX_TRIES) throw refused;
    await sleep(refused.wait);
  }
}

const post = async (path, headers, body) => (await ask('POST', path, headers, body)).json();
const get = async (path, headers) => (await ask('GET', path, headers)).json();

/** Become a guest; the headers by which the server knows the guest's program from now on. */
async function comeIn(name) {
  const answer = await ask('POST', '/api/guests', {}, { name });
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  const scopes = ['read', 'play', 'tables'];
  const { token } = await post('/api/tokens', { cookie: cookie.join('; ') }, { name: 'my bot', scopes });
  return { authorization: `Bearer ${token}` };
}

const lowly = await comeIn('Lowly');
const highly = await comeIn('Highly');
console.log((await get('/api/me', lowly)).name, 'and', (await get('/api/me', highly)).name, 'are here.');

const opened = { game: 'six', seats: 3, bots: ['casual'], options: { rounds: 1 } };
const { id: table } = await post('/api/tables', lowly, opened);
console.log(`The table is at ${SERVER}/t/${table}`);

await post(`/api/tables/${table}/start`, lowly, {}).catch((error) => console.log(error.code)); // seats_empty

await post(`/api/tables/${table}/join`, highly, { contribution: crypto.randomUUID() });
await post(`/api/tables/${table}/contribute`, lowly, { contribution: crypto.randomUUID() });
await post(`/api/tables/${table}/start`, lowly, {});

/** All messages of a table until the match is over. */
async function* follow(table, me) {
  let after = '';
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    try {
      const { body } = await ask('GET', `/api/stream/tables/${table}${after}`, me);
      let begun = '';
      for await (const part of body.pipeThrough(new TextDecoderStream())) {
        const lines = (begun + part).split('\n');
        begun = lines.pop();
        for (const line of lines.filter(Boolean)) {
          const message = JSON.parse(line);
          [after, tries] = [`?after=${message.n}`, 1];
          yield message;
          if (['over', 'closed'].includes(message.situation.phase)) return;
        }
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
      await sleep(1); // The connection broke off: take it up again.
    }
  }
  throw new Error('The server cannot be reached.');
}

/** Decide for a seat until the match is over. */
async function play(table, me, choose) {
  let made = null;
  for await (const { n, situation } of follow(table, me)) {
    const { waiting, you, decision } = situation;
    if (decision === made || !waiting.some(({ seat }) => seat === you)) continue;
    const action = choose(situation);
    made = decision;
    try {
      await post(`/api/tables/${table}/act`, me, { action, decision });
    } catch (error) {
      if (error.code === 'stale_decision') continue;
      if ((await get(`/api/tables/${table}`, me)).n === n) throw error;
      made = null; // Somebody was faster: the next message tells, and asks again.
    }
  }
}

// Hands are sorted: the lowest card or the first row, the highest card or the last row.
await Promise.all([
  play(table, lowly, ({ legal }) => legal[0]),
  play(table, highly, ({ legal }) => legal[legal.length - 1]),
]);

const { situation } = await get(`/api/tables/${table}`, lowly);
situation.chairs.forEach(({ name }, seat) => console.log(name, situation.outcome.points[seat]));

const { actions } = await get(`/api/tables/${table}/record`, lowly);
console.log(`${actions.length} actions.`);
