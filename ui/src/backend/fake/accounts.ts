/** Platforms of the fake: one with an account, one that nobody is signed in to. */
import { Failure, type Backend } from '@/backend/backend';
import type { Account, AccountView, Finding, Level, Plan, Severity, Stage } from '@/backend/bindings';

type Part = Pick<
  Backend,
  | 'accounts'
  | 'saveAccount'
  | 'removeAccount'
  | 'connector'
  | 'pickConnector'
  | 'accountView'
  | 'signIn'
  | 'cancelSignIn'
  | 'signOut'
  | 'keychainProblem'
  | 'setPassphrase'
>;

const HOUR = 3_600_000;

function account(name: string, platform: string, signed: boolean): Account {
  return {
    name,
    platform,
    profile: {
      format: 1,
      address: `https://${platform}`,
      connector: 'gpu-hours',
      keep: 'keychain',
      issuer: null,
      client_id: null,
    },
    signed_in: signed ? signedIn() : null,
  };
}

function signedIn(): Account['signed_in'] {
  return {
    account: 'lin@example.com',
    scopes: ['quota:read', 'train'],
    expires_s: Date.now() / 1000 + 6.4 * 86_400,
    renewable: true,
    signed_in_ms: Date.now() - 14 * HOUR,
    used_ms: Date.now() - HOUR,
    token_endpoint: null,
    revocation_endpoint: null,
    client_id: 'yolo-preflight',
  };
}

function finding(stage: Stage, what: string, severity: Severity, more: Partial<Finding> = {}): Finding {
  return {
    stage,
    code: `${stage}.${what}`,
    severity,
    certainty: 'certain',
    verb: null,
    args: { platform: 'gpu.example.com' },
    evidence: [],
    remedies: [],
    ...more,
  };
}

const level = (more: Partial<Level>): Level => ({
  name: '',
  remaining: '18.25',
  reserved: '4',
  limit: '60',
  state: 'open',
  renews_s: Date.now() / 1000 + 9 * 86_400,
  expires_s: null,
  ...more,
});

/** What the platform says: `locked` once a person named the connection so. */
function view(name: string): AccountView {
  const locked = name.includes('locked');
  const levels = [
    level({ name: 'Vision group', remaining: '412.5', reserved: '0', limit: '1000' }),
    level(locked ? { name: 'Line 3', state: 'locked' } : {}),
  ];
  const args = {
    platform: 'gpu.example.com',
    available: '14.25 GPU-h',
    named: locked ? 'yes' : 'no',
    level: 'Line 3',
  };
  const now = Date.now();
  return {
    portrait: {
      at_ms: now,
      platform: 'gpu.example.com',
      present: true,
      source: { in: 'keychain' },
      account: 'lin@example.com',
      scopes: ['quota:read', 'train'],
      expires_s: now / 1000 + 6.4 * 86_400,
      renewable: true,
      quota: {
        unit: 'gpu-hours',
        symbol: 'GPU-h',
        levels,
        prices: { A100: '0.8', 'RTX 4090': '0.5', T4: '0.3' },
      },
    },
    findings: [
      finding('auth', 'accepted', 'ok'),
      locked
        ? finding('quota', 'locked', 'blocker', {
            args,
            verb: 'ask',
            evidence: [
              {
                kind: 'value',
                name: { id: 'fact-balance', args: {} },
                value: 'Line 3: 18.25 − 4 = 14.25 GPU-h / 60',
              },
            ],
            remedies: [
              { id: 'ask-to-unlock', applicability: 'manual', action: { kind: 'explain' }, args: {} },
              { id: 'look-again', applicability: 'one-click', action: { kind: 'recheck' }, args: {} },
            ],
          })
        : finding('quota', 'left', 'ok', { args }),
    ],
    history: [60, 58.5, 51, 44.25, 40, 31, 22.5, 14.25].map((available, index) => ({
      at_ms: now - (8 - index) * 20 * HOUR,
      level: '',
      available: String(available),
    })),
  };
}

/** What a plan's chain says of its platform. */
export function accountFindings(plan: Plan): Finding[] {
  if (plan.target.kind !== 'platform') return [];
  const { profile } = plan.target;
  if (!profile.includes('works') && !profile.includes('locked')) {
    return [
      finding('auth', 'not-signed-in', 'blocker', {
        verb: 'change',
        remedies: [
          { id: 'sign-in', applicability: 'needs-choice', action: { kind: 'sign_in', profile }, args: {} },
        ],
      }),
      finding('quota', 'not-asked', 'unknown'),
    ];
  }
  if (profile.includes('locked')) return view(profile).findings;
  const { epochs } = plan.training;
  const cost = epochs * 0.23;
  if (cost <= 14.25) {
    const args = {
      platform: 'gpu.example.com',
      cost: `${(cost * 0.6).toFixed(1)}–${cost.toFixed(1)} GPU-h`,
      available: '14.25 GPU-h',
    };
    return [finding('auth', 'accepted', 'ok'), finding('quota', 'enough', 'ok', { args })];
  }
  const most = Math.floor(14.25 / 0.23);
  return [
    finding('auth', 'accepted', 'ok'),
    finding('quota', 'too-little', 'blocker', {
      verb: 'change',
      args: {
        platform: 'gpu.example.com',
        epoch: most,
        epochs,
        available: '14.25 GPU-h',
        low: '16.1 GPU-h',
        cost: '16.1–31 GPU-h',
      },
      evidence: [
        { kind: 'value', name: { id: 'fact-plan-cost', args: {} }, value: '16.1–31 GPU-h' },
        {
          kind: 'value',
          name: { id: 'fact-plan-time', args: { by: 'runs', count: 3 } },
          value: '20 h – 1 d 14 h',
        },
        { kind: 'value', name: { id: 'fact-balance', args: {} }, value: '18.25 − 4 = 14.25 GPU-h / 60' },
      ],
      remedies: [
        {
          id: 'fewer-epochs',
          applicability: 'one-click',
          action: { kind: 'change_plan', change: { set: 'epochs', to: 45 } },
          args: { epochs: 45 },
        },
        { id: 'ask-for-budget', applicability: 'manual', action: { kind: 'explain' }, args: {} },
      ],
    }),
  ];
}

/** The part of the fake that is about accounts. */
export function createAccounts(bare: boolean, pace: number, wait: (ms: number) => Promise<void>): Part {
  let all = bare
    ? []
    : [account('lab', 'lab.example.org:8443', false), account('works', 'gpu.example.com', true)];
  let cancelled = false;
  const named = (name: string): Account => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Failure({ code: 'account.no-such-profile', args: { name }, causes: [] });
    return found;
  };
  return {
    accounts: () => Promise.resolve(structuredClone(all)),
    saveAccount(name, profile) {
      if (!profile.address.includes('.')) {
        return Promise.reject(
          new Failure({ code: 'account.address-invalid', args: { address: profile.address }, causes: [] }),
        );
      }
      const made = { ...account(name, profile.address.replace(/^https?:\/\//, ''), false), profile };
      all = [...all.filter((one) => one.name !== name), made].sort((a, b) => a.name.localeCompare(b.name));
      return Promise.resolve(made);
    },
    removeAccount(name) {
      all = all.filter((one) => one.name !== name);
      return Promise.resolve();
    },
    connector(path) {
      if (path.includes('broken')) {
        return Promise.reject(
          new Failure({
            code: 'connector.invalid',
            args: { path, line: 7 },
            causes: ['unknown field `stile`, expected one of `style`, `header`, `audience`'],
          }),
        );
      }
      return Promise.resolve({ name: 'Own platform', asks: '/api/v2/budget', counts: 'GPU-min' });
    },
    pickConnector: () => Promise.resolve('/home/lin/platform.toml'),
    async accountView(name) {
      await wait(400 * pace);
      return view(name);
    },
    async signIn(name, way, onstep) {
      cancelled = false;
      if (way.by === 'device') {
        const url = `https://${named(name).platform}/device`;
        onstep({
          step: 'code',
          code: 'CHLK-FSLQ',
          url,
          complete: `${url}?user_code=CHLK-FSLQ`,
          seconds: 600,
        });
      } else if (way.by === 'browser') {
        onstep({ step: 'browser', url: `https://${named(name).platform}/auth?client_id=yolo-preflight` });
      }
      for (let waited = 0; waited < (way.by === 'pasted' ? 1 : 40) && !cancelled; waited += 1) {
        await wait(200 * pace);
      }
      if (cancelled) throw new Failure({ code: 'account.cancelled', args: {}, causes: [] });
      all = all.map((one) => (one.name === name ? { ...one, signed_in: signedIn() } : one));
      return named(name);
    },
    cancelSignIn() {
      cancelled = true;
      return Promise.resolve();
    },
    signOut(name) {
      all = all.map((one) => (one.name === name ? { ...one, signed_in: null } : one));
      return Promise.resolve(true);
    },
    keychainProblem: () =>
      Promise.resolve(
        bare ? { code: 'account.keychain-absent', args: {}, causes: ['no session bus'] } : null,
      ),
    setPassphrase: () => Promise.resolve(),
  };
}
