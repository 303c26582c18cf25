// A platform for tests: a real OpenID provider that rotates refresh tokens and ends a grant whose old ones are used
// again (or, where it forgives, only once a newer one was used), and a budget that only its tokens open. What tests want
// of it comes by /control.
//
//   node platform.mjs [PORT]      prints `ready PORT`

import http from 'node:http';
import Provider from 'oidc-provider';

const state = {
  // What GET /v1/user/quota answers.
  status: 200,
  quota: { gpu_hours_remaining: 40 },
  // Seconds that an access token lasts.
  ttl: 3600,
  // Seconds that this platform's clock is ahead.
  ahead: 0,
  // So many answers of the token endpoint are lost on their way.
  lose: 0,
  // So many questions to the token endpoint are lost on their way.
  away: 0,
  // How long the token endpoint takes, in milliseconds.
  slow: 0,
  // Whether a refresh token stays valid until one that came of it is used.
  forgiving: false,
};
const counts = { refreshes: 0, asked: 0, revoked: 0, ended: 0 };

const server = http.createServer();
await new Promise((resolve) => server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', resolve));
const { port } = server.address();
const base = `http://127.0.0.1:${port}`;

// Nobody reads what the provider thinks of a test's setup.
console.warn = console.info = () => {};
const provider = new Provider(base, {
  clients: [
    {
      client_id: 'yolo-preflight',
      redirect_uris: ['http://127.0.0.1/signed-in'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  ],
  features: {
    devInteractions: { enabled: true },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
  },
  pkce: { required: () => true },
  rotateRefreshToken: () => true,
  issueRefreshToken: async (context, client) => client.grantTypeAllowed('refresh_token'),
  conformIdTokenClaims: false,
  claims: { openid: ['sub', 'email'] },
  findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.com` }) }),
  ttl: {
    AccessToken: () => state.ttl,
    RefreshToken: 86400,
    DeviceCode: 600,
    Session: 3600,
    Grant: 86400,
    Interaction: 3600,
    IdToken: 3600,
  },
  cookies: { keys: ['test'] },
});
// What the provider gives out is its own name in its store.
const issued = [];
for (const kind of ['access_token', 'refresh_token']) provider.on(`${kind}.saved`, ({ jti }) => issued.push(jti));
provider.on('grant.revoked', () => (counts.ended += 1));

// A person in a browser: signs in, consents, and goes wherever they are sent.
function person() {
  const jar = {};
  const go = async (url, options = {}) => {
    const cookie = Object.entries(jar)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const answer = await fetch(url, { ...options, redirect: 'manual', headers: { ...options.headers, cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [pair] = set.split(';');
      const at = pair.indexOf('=');
      jar[pair.slice(0, at)] = pair.slice(at + 1);
    }
    return answer;
  };
  const form = (fields) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  });
  const walk = async (url) => {
    for (let step = 0; step < 15; step += 1) {
      const answer = await go(url);
      if (answer.status >= 300 && answer.status < 400) {
        url = new URL(answer.headers.get('location'), url).href;
        continue;
      }
      const page = await answer.text();
      const action = page.match(/action="([^"]+)"/)?.[1];
      const fields = /name="login"/.test(page)
        ? { prompt: 'login', login: 'wang', password: 'x' }
        : /value="consent"/.test(page)
          ? { prompt: 'consent' }
          : undefined;
      if (!fields) return page;
      const next = await go(new URL(action, url).href, form(fields));
      url = new URL(next.headers.get('location'), url).href;
    }
    throw new Error('went round in circles');
  };
  return { go, form, walk };
}

async function approve(code) {
  const { go, form, walk } = person();
  const page = await (await go(`${base}/device?user_code=${code}`)).text();
  const xsrf = page.match(/name="xsrf" value="([^"]+)"/)?.[1];
  const answer = await go(`${base}/device`, form({ xsrf, user_code: code, confirm: 'yes' }));
  const next = answer.headers.get('location');
  return next ? walk(new URL(next, base).href) : answer.text();
}

const callback = provider.callback();

// What came of each refresh token, and which were used.
const successors = new Map();
const used = new Set();

// A token that was used is as new until one that came of it is used as well.
async function forgive(token) {
  used.add(token);
  if ((successors.get(token) ?? []).some((next) => used.has(next))) return;
  const { adapter } = provider.RefreshToken;
  const kept = await adapter.find(token);
  if (kept?.consumed) await adapter.upsert(token, { ...kept, consumed: undefined }, kept.exp - kept.iat);
}

// Remembers what an answer of the token endpoint gives out for a token.
function remember(token, answer) {
  try {
    const next = JSON.parse(answer).refresh_token;
    if (next) successors.set(token, [...(successors.get(token) ?? []), next]);
  } catch {
    // A refusal is no answer of that kind.
  }
}

async function control(request, response, url) {
  const answer = (value) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(value));
  };
  const what = url.pathname.slice('/control/'.length);
  if (what === 'set') {
    const value = JSON.parse(url.searchParams.get('to'));
    Object.assign(state, value);
    return answer(state);
  }
  if (what === 'counts') return answer(counts);
  if (what === 'issued') return answer(issued);
  if (what === 'approve') return answer((await approve(url.searchParams.get('code'))).length);
  if (what === 'browse') return answer((await person().walk(url.searchParams.get('url'))).length);
  response.statusCode = 404;
  return answer({});
}

async function quota(request, response) {
  counts.asked += 1;
  const token = request.headers.authorization?.replace(/^Bearer /, '');
  const known = token ? await provider.AccessToken.find(token) : undefined;
  response.setHeader('content-type', 'application/json');
  if (!known) {
    response.statusCode = 401;
    response.end(JSON.stringify({ error: { code: 'invalid_token', message: 'unknown or expired' } }));
    return;
  }
  response.statusCode = state.status;
  response.end(JSON.stringify(state.quota));
}

server.on('request', async (request, response) => {
  const url = new URL(request.url, base);
  response.setHeader('date', new Date(Date.now() + state.ahead * 1000).toUTCString());
  try {
    if (url.pathname.startsWith('/control/')) return await control(request, response, url);
    if (url.pathname === '/v1/user/quota') return await quota(request, response);
    if (url.pathname === '/token/revocation') counts.revoked += 1;
    if (url.pathname === '/token') {
      const body = [];
      for await (const piece of request) body.push(piece);
      const text = Buffer.concat(body).toString();
      request.body = Object.fromEntries(new URLSearchParams(text));
      if (request.body.grant_type === 'refresh_token') {
        counts.refreshes += 1;
        if (state.slow > 0) await new Promise((resolve) => setTimeout(resolve, state.slow));
        if (state.away > 0) {
          state.away -= 1;
          request.socket.destroy();
          return undefined;
        }
        const token = request.body.refresh_token;
        if (state.forgiving) await forgive(token);
        const end = response.end.bind(response);
        const lost = state.lose > 0;
        if (lost) state.lose -= 1;
        response.end = (answer, ...rest) => {
          remember(token, answer);
          if (!lost) return end(answer, ...rest);
          // It is granted, and nobody hears of it.
          request.socket.destroy();
          return response;
        };
      }
    }
    return await callback(request, response);
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
    return undefined;
  }
});

console.log(`ready ${port}`);
