/** Draws the QR code of a kiosk for another address. It is a script of its own, because few visitors need it. */
import { qrPath } from '../../formats/qr-path.ts';

window.microfichePhoneCode = (panel, url) => {
  const code = qrPath(url);
  const drawing = panel.querySelector('svg');
  const address = panel.querySelector('.address');
  if (!code || !drawing || !address) return;
  drawing.setAttribute('viewBox', `0 0 ${code.size} ${code.size}`);
  for (const side of ['width', 'height']) drawing.querySelector('rect')?.setAttribute(side, String(code.size));
  drawing.querySelector('path')?.setAttribute('d', code.path);
  address.textContent = url;
};
