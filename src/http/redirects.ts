/** Follows redirects as a browser does: with the cookies that the redirects of one chain set, for the host that set them. */
import { parseCookie } from 'undici';
import type { Exchange, HeaderList } from '../model/response.ts';
import { NonRetryableError } from './errors.ts';

/** Returns the target of a redirect as the response gives it; undefined if it is none. */
export function redirectTarget({ status, headers }: Exchange): string | undefined {
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  return isRedirect ? headers.find(([name]) => /^location$/i.test(name))?.[1] : undefined;
}

/** Starts a chain. `limitNote` names the option that sets its maximum length, for messages. */
export function createRedirectChain(start: string, maxRedirects: number, limitNote: string) {
  /** Cookies by host and name. */
  const cookies = new Map<string, { host: string; name: string; value: string | undefined; isSecure: boolean }>();
  const requests = new Set<string>();
  const chain = {
    /** The URL to request next. */
    url: new URL(start),
    /** The URLs requested before it. */
    visited: [] as string[],
    /** Returns the cookies for `url`, as headers. */
    cookieHeaders(): Record<string, string> {
      const { host, protocol } = chain.url;
      const sent = [...cookies.values()].filter((one) => one.host === host && (!one.isSecure || protocol === 'https:'));
      return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') };
    },
    /**
     * Moves to the target of a response with these headers.
     * @throws {NonRetryableError} if it cannot be followed, or was requested already with the same cookies
     */
    follow(location: string, headers: HeaderList) {
      const { href, host } = chain.url;
      requests.add(`${href} ${chain.cookieHeaders()['cookie']}`);
      chain.visited.push(href);
      for (const [header, cookie] of headers) {
        const { name, value, maxAge, expires, secure } = (/^set-cookie$/i.test(header) && parseCookie(cookie)) || { name: '' };
        if (name === '') continue;
        const isDeleted = maxAge === undefined ? expires !== undefined && Number(expires) <= Date.now() : maxAge <= 0;
        if (isDeleted) cookies.delete(`${host} ${name}`);
        else cookies.set(`${host} ${name}`, { host, name, value, isSecure: secure === true });
      }
      // Each character is a byte. URLs have the bytes of UTF-8, like those of any other encoding, as percent codes.
      const target = URL.parse(
        location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`),
        href,
      );
      if (!target || !/^https?:$/.test(target.protocol))
        throw new NonRetryableError('it redirects to a URL that cannot be followed');
      target.hash = '';
      chain.url = target;
      const names = [...cookies.values()].map(({ name }) => name).join(', ');
      const note = names === '' ? '' : `, although its cookies were sent back: ${names}`;
      if (requests.has(`${target.href} ${chain.cookieHeaders()['cookie']}`))
        throw new NonRetryableError(`it redirects to itself${note}`);
      if (chain.visited.length > maxRedirects)
        throw new NonRetryableError(`it redirects more than ${maxRedirects} times${limitNote}${note}`);
    },
  };
  return chain;
}
