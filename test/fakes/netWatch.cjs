// To be required by a Node process: it notes itself in the file NET_WATCH, and each address beyond this machine that it
// connects to or looks up.
const { appendFileSync } = require('node:fs');
const dns = require('node:dns');
const net = require('node:net');

const note = (what, text) => appendFileSync(process.env.NET_WATCH, `${what} ${text}\n`);
const isNear = host => /^(localhost|127\.[\d.]+|::1|\[::1\]|0\.0\.0\.0)$/.test(host);
note('runs', process.argv.join(' '));

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second };
  const host = typeof options.host === 'string' ? options.host : 'localhost';
  if (options.port !== undefined && !options.path && !isNear(host)) note('connects', `${host}:${options.port}`);
  return connect.apply(this, args);
};

const lookup = dns.lookup;
dns.lookup = function (host, ...rest) {
  if (typeof host === 'string' && !isNear(host) && !net.isIP(host)) note('looks up', host);
  return lookup.call(this, host, ...rest);
};
