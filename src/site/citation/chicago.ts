/**
 * The Chicago Manual of Style's bibliography entry for archival items, as a style of the Citation Style Language (CSL 1.0). The in-text citation
 * is never shown, and contains nothing of a record, because the processor uses it as the key of a plain object.
 */
export const CHICAGO_STYLE = `<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" default-locale="en-US">
  <info>
    <title>Chicago, bibliography, for archival items</title>
    <id>microfiche-chicago-archival</id>
    <summary>The Chicago Manual of Style, 17th edition, 14.221 to 14.231: unpublished and manuscript material, main element first.</summary>
    <updated>2026-11-21T00:00:00+00:00</updated>
  </info>
  <macro name="author">
    <names variable="author">
      <name and="text" name-as-sort-order="first" delimiter-precedes-last="always"/>
    </names>
  </macro>
  <macro name="interviewer">
    <names variable="interviewer">
      <label form="verb" suffix=" "/>
      <name and="text"/>
    </names>
  </macro>
  <macro name="title">
    <choose>
      <if type="collection"><text variable="title"/></if>
      <else><text variable="title" quotes="true"/></else>
    </choose>
  </macro>
  <macro name="date">
    <choose>
      <if is-uncertain-date="issued"><text term="circa" form="short" suffix=" "/></if>
    </choose>
    <date variable="issued" form="text"/>
  </macro>
  <citation><layout><text value="not shown"/></layout></citation>
  <bibliography>
    <layout suffix=".">
      <group delimiter=". ">
        <text macro="author"/>
        <group delimiter=", ">
          <text macro="title"/>
          <text macro="interviewer"/>
        </group>
        <group delimiter=", ">
          <text variable="medium" text-case="capitalize-first"/>
          <text macro="date"/>
        </group>
        <group delimiter=", ">
          <text variable="archive_location"/>
          <text variable="archive_collection"/>
          <text variable="archive"/>
        </group>
        <text variable="URL"/>
      </group>
    </layout>
  </bibliography>
</style>
`;
