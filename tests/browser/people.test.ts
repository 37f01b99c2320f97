/** The pages of people, the list of them, and the former addresses of authors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { useSiteInBrowser } from '../support/chromium.ts';

const mirror = useSiteInBrowser();
const html = (path: string) => readFileSync(join(inject('mirror').dist, path), 'utf8');

async function open(path: string): Promise<Page> {
  const page = await mirror.browser().newPage();
  await page.goto(`${mirror.url()}/${path}`);
  return page;
}

it('are a way to browse, beside those who are only mentioned', () => {
  const headings = [...html('browse/index.html').matchAll(/<h2>\s*<a href="([^"]+)">([^<]+)/g)].map(([, href, label]) => [
    href,
    label,
  ]);
  expect(headings[0]).toEqual(['../people/index.html', 'People']);
  expect(headings).toContainEqual(['../browse/person/index.html', 'People mentioned']);
});

describe('the page of a person', () => {
  it('has interviews, works and mentions together, each with its number', async () => {
    const page = await open('people/leif-vane.html');
    const sections = await page.locator('article section').evaluateAll((all) =>
      all.map((section) => ({
        title: section.querySelector('h2')?.firstChild?.textContent?.trim() ?? '',
        count: Number(section.querySelector('.count')?.textContent),
        cards: section.querySelectorAll('.card').length,
      })),
    );
    expect(sections.map(({ title }) => title)).toEqual(expect.arrayContaining(['Interviews']));
    for (const { count, cards } of sections) expect(cards).toBe(Math.min(count, 24));
    expect(await page.locator('h1 + .fine').innerText()).toMatch(/^\d+ records: \d+ interviews? · \d+ segments? · \d+ works?$/);
    expect(await page.locator('.person .lead').innerText()).toMatch(
      /^Records from \d{4} to \d{4}\.(?: Mostly at .+\.)? Interviewed in \d{4}\.$/,
    );
    await page.close();
  });

  it('plays the interviews, and links to those who share records with the person', async () => {
    const page = await open('people/leif-vane.html');
    const interview = page.locator('.interview-rows > li').first();
    expect(await interview.locator('.card-facts').innerText()).toMatch(/\d+:\d\d total/);
    expect(await interview.locator('.interview-parts a').count()).toBeGreaterThan(1);
    const companions = await page.locator('.companions').innerText();
    const [, name, count] = /^Appears with: (.+?) (\d+)(?: ·|$)/.exec(companions) ?? [];
    await page
      .locator('.companions a', { hasText: name ?? '' })
      .first()
      .click();
    // The other one shares as many records with this person.
    expect(await page.locator('.companions').innerText()).toContain(`Leif Vane ${count}`);
    await page.goBack();
    await interview.getByRole('link', { name: 'Play interview' }).click();
    await page.waitForURL(/objects\/[^/]+-\d+\.html#play$/);
    await page.close();
  });

  it('has a portrait, which the only interview below it does not show again', () => {
    const paths = [...html('people/index.html').matchAll(/href="\.\.\/(people\/[^"]+)"/g)].map(([, path]) => path as string);
    const withPortrait = paths.filter((path) => html(path).includes('class="portrait"'));
    expect(withPortrait.length).toBeGreaterThan(1);
    for (const path of withPortrait) {
      const page = html(path);
      const portrait = /class="portrait".*?<img src="(?<src>[^"]+)"/s.exec(page)?.groups?.['src'] ?? '';
      const interviews = /<h2>\s*Interviews.*?<\/section>/s.exec(page)?.[0] ?? '';
      const images = interviews.match(/<img/g)?.length ?? 0;
      expect(images, path).toBe(
        interviews.includes('<span class="count">1</span>') ? 0 : interviews.match(/class="card"/g)?.length,
      );
      expect(portrait, path).toMatch(/^\.\.\/thumbs\//);
    }
    expect(html('people/leif-vane.html')).toMatch(/<meta property="og:image" content="[^"]+\.webp">/);
  });

  it('has the biography and the guide pages of an author', async () => {
    const page = await open('people/sven-ashlock.html');
    expect(await page.locator('.prose').first().innerText()).toMatch(/writes about the islands/);
    expect(await page.getByRole('link', { name: 'Fog Bells' }).getAttribute('href')).toBe('../guide/fog-bells.html');
    await page.close();
  });

  it('is where records, lists of works and guide pages lead', async () => {
    expect(html('guide/fog-bells.html')).toContain('href="../people/sven-ashlock.html"');
    expect(html('objects/lica-ferry-1-1.html')).toContain('href="../people/leif-vane.html"');
    expect(html('browse/creator/leif-vane.html')).toContain('href="../../people/leif-vane.html"');
    expect(html('people/index.html')).toContain('href="../people/leif-vane.html"');
  });

  it('links to the name record if it has an ARK', () => {
    const pages = inject('mirror').dist;
    const withArk = [...html('people/index.html').matchAll(/href="\.\.\/(people\/[^"]+)"/g)]
      .map(([, path]) => path as string)
      .filter((path) => readFileSync(join(pages, path), 'utf8').includes('https://n2t.net/ark:/88922/nr'));
    expect(withArk.length).toBeGreaterThan(3);
  });
});

describe('the former address of an author', () => {
  it.each(['http', 'file'])('opens the page of the person (%s)', async (scheme) => {
    const top = scheme === 'http' ? mirror.url() : pathToFileURL(inject('mirror').dist).href;
    const page = await mirror.browser().newPage();
    await page.goto(`${top}/authors/sven-ashlock.html`);
    await page.waitForURL('**/people/sven-ashlock.html');
    await page.close();
  });

  it('links to it without waiting, and is not listed for search engines', () => {
    const page = html('authors/sven-ashlock.html');
    expect(page).toContain('<a href="../people/sven-ashlock.html">Sven Ashlock</a>');
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).toContain('<link rel="canonical" href="https://mirror.example/archive/people/sven-ashlock.html">');
    expect(html('sitemap-0.xml')).not.toContain('authors/sven-ashlock');
    expect(html('sitemap-0.xml')).toContain('people/sven-ashlock');
  });
});

describe('the list of people', () => {
  it('files names by surname, and other scripts under their own headings', async () => {
    const page = await open('people/index.html');
    const groups = await page
      .locator('.letter')
      .evaluateAll((all) =>
        all.map((group) => [
          group.querySelector('h2')?.textContent?.trim(),
          Array.from(group.querySelectorAll('a'), (link) => link.textContent ?? ''),
        ]),
      );
    const byLetter = Object.fromEntries(groups) as Record<string, string[]>;
    expect(byLetter['A']).toEqual(expect.arrayContaining(['Àlvarez-Núñez, Zoë', 'Ashlock, Sven']));
    expect(byLetter['V']).toContain('Vane, Leif');
    expect(Object.keys(byLetter)).toEqual(expect.arrayContaining(['ㄱ', 'Han']));
    expect(byLetter['Q']).toEqual([...(byLetter['Q'] ?? [])].sort(new Intl.Collator('en', { numeric: true }).compare));
    await page.close();
  });
});
