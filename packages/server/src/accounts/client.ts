import Bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../platform/http/rate-limit.ts';
import { firstLine, truncate } from '../platform/text.ts';

/** Origin of a request, as far as account security is concerned. */
export interface Client {
  /** IP address for display. */
  readonly address: string;
  /** Key of the per-address limits: an IPv4 address or the /64 of an IPv6 address. */
  readonly caller: string;
  readonly userAgent: string | null;
  /** Token of the device cookie; null without one. */
  readonly deviceToken: string | null;
}

/** Cookie that identifies a device. It is sent only to account routes and outlives sessions. */
const DEVICE_COOKIE = 'winnow_device';
/** Maximum lifetime that browsers accept. */
const DEVICE_COOKIE_SECONDS = 400 * 24 * 60 * 60;
/** Maximum stored length of a `User-Agent` header. Browsers send about 120 characters. */
const MAX_USER_AGENT_CHARS = 300;
const DEVICE_TOKEN = /^[\w-]{43}$/;

export function clientOf(request: FastifyRequest): Client {
  const token = request.cookies[DEVICE_COOKIE] ?? '';
  const userAgent = truncate(firstLine(request.headers['user-agent'] ?? ''), MAX_USER_AGENT_CHARS);
  return {
    address: request.ip,
    caller: networkOf(request),
    userAgent: userAgent || null,
    deviceToken: DEVICE_TOKEN.test(token) ? token : null,
  };
}

/** Stores the device token in the browser. */
export function sendDeviceCookie(reply: FastifyReply, token: string): void {
  reply.setCookie(DEVICE_COOKIE, token, {
    path: '/api/v1/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: 'auto',
    maxAge: DEVICE_COOKIE_SECONDS,
  });
}

/**
 * Returns the /24 of an IPv4 address or the /48 of an IPv6 address. It usually stays the same when
 * the address of a home or office changes.
 */
export function networkPrefixOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray().slice(0, parsed.kind() === 'ipv4' ? 3 : 6);
  return `${parsed.kind()} ${bytes.join('.')}`;
}

/**
 * Describes a `User-Agent`, such as `Firefox on Linux`. For a program that is no browser, returns
 * the program's name. Null without a header.
 */
export function deviceNameOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name === undefined || browser.name === '') return programOf(userAgent);
  return os.name === undefined || os.name === '' ? browser.name : `${browser.name} on ${os.name}`;
}

/**
 * Returns the first word of the header, such as `curl`. It cannot contain an address or a sentence.
 */
function programOf(userAgent: string): string | null {
  return /^[A-Za-z][\w-]{0,30}/.exec(userAgent)?.[0] ?? null;
}
