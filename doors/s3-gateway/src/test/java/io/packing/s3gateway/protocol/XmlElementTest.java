// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class XmlElementTest {
    private static XmlElement parse(String text) throws S3Exception {
        return XmlElement.parse(text.getBytes(StandardCharsets.UTF_8), "Delete");
    }

    private static void isMalformed(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3Code.MALFORMED_XML));
    }

    @Test
    void textsOfElementsAreRead() throws S3Exception {
        XmlElement delete = parse("<?xml version=\"1.0\"?><Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<Object><Key>a&amp;b &#x20ac;</Key></Object><Object><Key><![CDATA[<c>]]></Key></Object></Delete>");
        assertThat(delete.all("Object").stream().map(each -> each.find("Key").orElseThrow()))
                .containsExactly("a&b \u20ac", "<c>");
    }

    @Test
    void aBombOfEntitiesIsRefusedBeforeItGrows() {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE Delete [<!ENTITY a \"aaaaaaaaaa\">");
        for (char c = 'b'; c <= 'z'; c++) {
            String before = "&" + (char) (c - 1) + ";";
            bomb.append("<!ENTITY ")
                    .append(c)
                    .append(" \"")
                    .append(before.repeat(10))
                    .append("\">");
        }
        isMalformed(bomb + "]><Delete><Quiet>&z;</Quiet></Delete>");
    }

    @Test
    void aDocumentCannotNameFilesOfTheGateway() {
        isMalformed("<!DOCTYPE Delete [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><Delete><Quiet>&x;</Quiet></Delete>");
        isMalformed("<!DOCTYPE Delete SYSTEM \"http://127.0.0.1:1/x.dtd\"><Delete/>");
    }

    @Test
    void deepBrokenAndOtherDocumentsAreRefused() {
        isMalformed("<Delete>" + "<a>".repeat(100) + "</a>".repeat(100) + "</Delete>");
        isMalformed("<Delete><Object></Delete>");
        isMalformed("<Tagging/>");
        isMalformed("");
        isMalformed("{}");
        isMalformed("<Delete>&unknown;</Delete>");
    }
}
