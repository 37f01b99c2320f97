import { expect, it } from 'vitest';
import { quotablePart, textOfPage } from './page-text.ts';

const page = (main: string) => `<html><body><nav>Menu</nav><main id="main">${main}</main><footer>Foot</footer></body></html>`;

it('has the text of the main part, without menus, buttons and what content warnings cover', () => {
  const html = page(
    '<h1>Quay</h1><nav>Next</nav><div class="cover"><p>Content warning</p><div class="covered"><div>Harsh</div> words</div></div><p>After<button>Copy</button></p>',
  );
  expect(textOfPage(html)).toBe('Quay Content warning After');
  expect(quotablePart(html)).toBe(
    '<main id="main"><h1>Quay</h1><nav>Next</nav><div class="cover"><p>Content warning</p></div><p>After<button>Copy</button></p></main>',
  );
  expect([textOfPage('<p>No main part</p>'), quotablePart('<p>No main part</p>')]).toEqual(['', '']);
});
