/** Says how an archive can be reached: its setting `contact` is an e-mail address or a URL. */

/** Whether a contact is an e-mail address. */
export function isEmailAddress(contact: string): boolean {
  return contact.includes('@') && !contact.includes('://');
}
