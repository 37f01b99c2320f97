/** Citation styles in CSL 1.0, to compare the site's own formatters with, on the same sources: Chicago 17, MLA 9. */

const head = (id: string) => `<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" default-locale="en-US" demote-non-dropping-particle="display-and-sort">
  <info><title>${id}</title><id>${id}</id><updated>2026-11-21T00:00:00+00:00</updated></info>
  <citation><layout><text value="not shown"/></layout></citation>
  <macro name="title">
    <choose>
      <if type="collection"><text variable="title"/></if>
      <else><text variable="title" quotes="true"/></else>
    </choose>
  </macro>`;

const circa = (text: string) => `
    <choose>
      <if is-uncertain-date="issued"><text value="${text}" suffix=" "/></if>
    </choose>`;

/** The bibliography entry of archival items in the Chicago Manual of Style. */
export const CHICAGO_CSL = `${head('chicago-archival')}
  <macro name="author">
    <names variable="author">
      <name and="text" name-as-sort-order="first" delimiter-precedes-last="always" et-al-min="11" et-al-use-first="7"/>
    </names>
  </macro>
  <macro name="interviewer">
    <names variable="interviewer"><label form="verb" suffix=" "/><name and="text"/></names>
  </macro>
  <macro name="date">${circa('c.')}
    <date variable="issued" form="text"/>
  </macro>
  <bibliography>
    <layout suffix=".">
      <group delimiter=". ">
        <text macro="author"/>
        <group delimiter=", "><text macro="title"/><text macro="interviewer"/></group>
        <group delimiter=", "><text variable="medium" text-case="capitalize-first"/><text macro="date"/></group>
        <group delimiter=", ">
          <text variable="archive_location"/><text variable="archive_collection"/><text variable="archive"/>
        </group>
        <group delimiter=" "><text value="Accessed"/><date variable="accessed" form="text"/></group>
        <text variable="URL"/>
      </group>
    </layout>
  </bibliography>
</style>
`;

/** The list of works cited of the Modern Language Association. */
export const MLA_CSL = `${head('mla-archival')}
  <macro name="author">
    <names variable="author">
      <name and="text" name-as-sort-order="first" delimiter-precedes-last="always" delimiter-precedes-et-al="after-inverted-name" et-al-min="3" et-al-use-first="1"/>
    </names>
  </macro>
  <macro name="interviewer">
    <names variable="interviewer"><label form="verb" suffix=" "/><name and="text" et-al-min="3" et-al-use-first="1" delimiter-precedes-et-al="never"/></names>
  </macro>
  <macro name="date">${circa('circa')}
    <date variable="issued"><date-part name="day" suffix=" "/><date-part name="month" form="short" suffix=" "/><date-part name="year"/></date>
  </macro>
  <bibliography>
    <layout suffix=".">
      <group delimiter=". ">
        <text macro="author"/>
        <text macro="title"/>
        <group delimiter=", "><text macro="interviewer" text-case="capitalize-first"/><text macro="date" text-case="capitalize-first"/></group>
        <group delimiter=", ">
          <text variable="archive_collection"/><text variable="archive_location"/><text variable="archive"/><text variable="URL"/>
        </group>
        <group delimiter=" "><text value="Accessed"/><date variable="accessed"><date-part name="day" suffix=" "/><date-part name="month" form="short" suffix=" "/><date-part name="year"/></date></group>
        <choose><if variable="interviewer" match="none"><text variable="medium" text-case="capitalize-first"/></if></choose>
      </group>
    </layout>
  </bibliography>
</style>
`;
