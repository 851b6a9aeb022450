// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.util.Base64;
import java.util.List;

/** Documents as flat OpenDocument XML, which LibreOffice opens like any other. */
final class FlatDocument {
    private static final String SENTENCE =
            "The quick brown fox jumps over the lazy dog, and nobody at the desk looks up from the page. ";
    private static final int SENTENCES = 36;
    private static final int SHEET_ROWS = 200;
    private static final int SHEET_COLUMNS = 8;

    private static final String HEAD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
             xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
             xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
             xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
             xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
             xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
             xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
             office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.%s">
            """;
    private static final String PAGE_BREAK = """
            <office:automatic-styles><style:style style:name="P" style:family="paragraph">
            <style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>
            """;

    private FlatDocument() {}

    /** Pages of text, with a picture on each of the first ones. */
    static String text(int pages, List<byte[]> pictures) {
        StringBuilder body =
                new StringBuilder(HEAD.formatted("text")).append(PAGE_BREAK).append("<office:body><office:text>");
        for (int page = 0; page < pages; page++) {
            body.append("<text:p text:style-name=\"P\">Page ").append(page + 1).append("</text:p>");
            if (page < pictures.size()) {
                body.append("<text:p>")
                        .append(picture(pictures.get(page), "as-char"))
                        .append("</text:p>");
            } else {
                body.append("<text:p>").append(SENTENCE.repeat(SENTENCES)).append("</text:p>");
            }
        }
        return body.append("</office:text></office:body></office:document>").toString();
    }

    /** Sheets of numbers and sums. */
    static String sheets(int sheets) {
        StringBuilder body =
                new StringBuilder(HEAD.formatted("spreadsheet")).append("<office:body><office:spreadsheet>");
        for (int sheet = 1; sheet <= sheets; sheet++) {
            body.append("<table:table table:name=\"Sheet").append(sheet).append("\">");
            for (int row = 1; row <= SHEET_ROWS; row++) {
                body.append("<table:table-row>");
                for (int column = 1; column <= SHEET_COLUMNS; column++) {
                    int value = sheet * row % (column + 7) + column;
                    body.append("<table:table-cell office:value-type=\"float\" office:value=\"%d\"/>".formatted(value));
                }
                body.append("<table:table-cell table:formula=\"of:=SUM([.A%d:.H%d])\"/></table:table-row>"
                        .formatted(row, row));
            }
            body.append("</table:table>");
        }
        return body.append("</office:spreadsheet></office:body></office:document>")
                .toString();
    }

    /** Slides of text, or of a picture each. */
    static String slides(int slides, List<byte[]> pictures) {
        StringBuilder body =
                new StringBuilder(HEAD.formatted("presentation")).append("<office:body><office:presentation>");
        for (int slide = 0; slide < slides; slide++) {
            body.append("<draw:page draw:name=\"slide%d\">".formatted(slide + 1));
            body.append(
                    slide < pictures.size()
                            ? picture(pictures.get(slide), "page")
                            : ("<draw:frame svg:width=\"20cm\" svg:height=\"10cm\" svg:x=\"2cm\" svg:y=\"3cm\">"
                                            + "<draw:text-box><text:p>%s</text:p></draw:text-box></draw:frame>")
                                    .formatted(SENTENCE.repeat(3)));
            body.append("</draw:page>");
        }
        return body.append("</office:presentation></office:body></office:document>")
                .toString();
    }

    private static String picture(byte[] jpeg, String anchor) {
        return ("<draw:frame text:anchor-type=\"%s\" svg:width=\"14cm\" svg:height=\"10cm\" svg:x=\"2cm\" svg:y=\"2cm\">"
                        + "<draw:image><office:binary-data>%s</office:binary-data></draw:image></draw:frame>")
                .formatted(anchor, Base64.getEncoder().encodeToString(jpeg));
    }
}
