/** What is done before another try; each at most once, and each gives up `--prefer-offline`. */
export type Repair =
  /** Ask the registry anew for everything. */
  | 'askRegistry'
  /** Begin with an empty folder: only that of this package. */
  | 'emptyFolder'
  /** A cache of our own, empty: what cleaning the cache would do, without taking the user's from all other projects. */
  | 'freshCache';

/** An attempt, by what was repaired before it. The first one repairs nothing. */
export interface InstallPlan {
  repairs: readonly Repair[];
}

export interface InstallFailure {
  /** `start`: the package is there, and its program did not come up. */
  stage: 'install' | 'start';
  /** What was printed. */
  text: string;
  /** The code of the system when npm itself did not start. */
  code?: string;
}

export type FailureKind =
  | 'noNpm'
  | 'tooNew'
  | 'noSuchVersion'
  | 'noSuchPackage'
  | 'noAccess'
  | 'network'
  | 'certificate'
  | 'diskFull'
  | 'wrongPlatform'
  | 'wrongNode'
  | 'cacheNotWritable'
  | 'notWritable'
  | 'brokenCache'
  | 'brokenFolder'
  | 'other';

export type Next =
  | { do: 'retry'; plan: InstallPlan }
  /** `reason` is a sentence for the user. */
  | { do: 'giveUp'; kind: FailureKind; reason: string };

/** The first that matches names the failure: more telling patterns stand before more general ones. */
const patterns: readonly [FailureKind, RegExp][] = [
  ['tooNew', /with a date before|min(imum)?-?release-?age/i],
  ['noSuchVersion', /\bETARGET\b|\bnotarget\b|No matching version found/],
  ['noAccess', /\bE401\b|\bE403\b|\bENEEDAUTH\b|\b401 Unauthorized\b|\b403 Forbidden\b|Incorrect or missing password/],
  ['noSuchPackage', /\bE404\b|404 Not Found/],
  ['diskFull', /\bENOSPC\b|no space left on device|\bEDQUOT\b/],
  [
    'certificate',
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED|self[- ]signed certificate|unable to get local issuer/i,
  ],
  ['wrongPlatform', /\bEBADPLATFORM\b|Unsupported platform/],
  ['wrongNode', /code EBADENGINE\b|Not compatible with your version of node/],
  ['cacheNotWritable', /cache folder contains root-owned files|\b(EACCES|EPERM|EROFS)\b[^\n]*_cacache/],
  ['cacheNotWritable', /\b(EACCES|EPERM|EROFS)\b[\s\S]*(path|open|mkdir) [^\n]*[\\/](_cacache|\.npm|npm-cache)\b/],
  [
    'brokenCache',
    /\bEINTEGRITY\b|integrity checksum failed|\bE?BADCHECKSUM\b|TAR_BAD_ARCHIVE|Z_(BUF|DATA)_ERROR|zlib:/,
  ],
  ['brokenCache', /\bENOENT\b[\s\S]*_cacache|Unexpected end of JSON input|Invalid response body/],
  [
    'network',
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ESOCKETTIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|EPROTO|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b|network (timeout|request)|socket hang up|tunneling socket/i,
  ],
  ['brokenFolder', /\bENOTEMPTY\b|\bEEXIST\b|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Cannot find (module|package)/],
  [
    'brokenFolder',
    /command not found|: not found\b|is not recognized as an internal or external command|Exec format error/,
  ],
  ['brokenFolder', /\bENOENT\b[\s\S]*(node_modules|package\.json|_npx)|\bEBUSY\b|\bEJSONPARSE\b/],
  ['notWritable', /\b(EACCES|EPERM|EROFS)\b/],
];

/** What went wrong, by what was printed. */
export function failureKind({ text, code }: InstallFailure): FailureKind {
  if (code === 'ENOENT') return 'noNpm';
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

/** What may help, in the order in which it is tried. */
const repairs: Readonly<Record<FailureKind, readonly Repair[]>> = {
  noNpm: [],
  tooNew: [],
  noSuchVersion: ['askRegistry', 'freshCache'],
  noSuchPackage: ['askRegistry'],
  noAccess: [],
  network: ['askRegistry'],
  certificate: [],
  diskFull: [],
  wrongPlatform: [],
  wrongNode: [],
  cacheNotWritable: ['freshCache'],
  notWritable: [],
  brokenCache: ['freshCache'],
  brokenFolder: ['emptyFolder', 'freshCache'],
  other: ['askRegistry', 'emptyFolder'],
};

const reasons: Readonly<Record<FailureKind, string>> = {
  noNpm: 'npm was not found. Install Node.js, which brings it.',
  tooNew: 'this version is younger than your npm settings allow (min-release-age).',
  noSuchVersion: 'the registry does not have this version.',
  noSuchPackage: 'the registry does not have this package.',
  noAccess: 'the registry refused access. Sign in to it, or look at your .npmrc.',
  network: 'the registry could not be reached. Look at the network and the proxy settings.',
  certificate: 'the certificate of the registry is not trusted. NODE_EXTRA_CA_CERTS can name your own authority.',
  diskFull: 'the disk is full.',
  wrongPlatform: 'the package does not run on this platform.',
  wrongNode: 'the package needs another version of Node.js.',
  cacheNotWritable: "npm's cache cannot be written.",
  notWritable: 'a folder cannot be written.',
  brokenCache: "npm's cache is damaged.",
  brokenFolder: 'the installed files are damaged.',
  other: 'npm failed.',
};

/**
 * What to do after a failure: another attempt with one more repair, or giving up with a reason. A program that does not
 * come up for reasons of its own is not repaired.
 */
export function nextAttempt(plan: InstallPlan, failure: InstallFailure): Next {
  const kind = failureKind(failure);
  const helps = failure.stage === 'install' || kind === 'brokenFolder' ? repairs[kind] : [];
  const repair = helps.find(each => !plan.repairs.includes(each));
  return repair
    ? { do: 'retry', plan: { repairs: [...plan.repairs, repair] } }
    : { do: 'giveUp', kind, reason: reasons[kind] };
}
