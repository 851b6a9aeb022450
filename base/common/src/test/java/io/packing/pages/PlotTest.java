// SPDX-License-Identifier: Apache-2.0
package io.packing.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {
    private static final String SVG = """
            <?xml version="1.0"?>
            <svg width="1000px" height="560px" viewBox="0 0 1000 560" xmlns="http://www.w3.org/2000/svg">
              <defs><clipPath id="clip1"><rect width="3.14159" height="2"/></clipPath></defs>
              <g clip-path="url(#clip1)"/>
            </svg>
            """;

    @Test
    void twoPlotsOfAPageShareNoIdentifier() {
        String first = Plot.ofSvg("first", "", SVG, List.of()).html();
        String second = Plot.ofSvg("second", "", SVG, List.of()).html();
        assertThat(first).contains("id=\"first-clip1\"", "url(#first-clip1)");
        assertThat(second).contains("id=\"second-clip1\"", "url(#second-clip1)").doesNotContain("first");
    }

    @Test
    void thePageDecidesOnTheSizeOfAPlot() {
        String html = Plot.ofSvg("plot", "a < b", SVG, List.of()).html();
        assertThat(html)
                .contains("viewBox=\"0 0 1000 560\"", "aria-label=\"a &lt; b\"", "<rect width=\"3.14\" height=\"2\"/>")
                .doesNotContain("1000px")
                .doesNotContain("<?xml");
    }

    @Test
    void aDocumentWithoutAViewBoxIsRefused() {
        assertThatThrownBy(() -> Plot.ofSvg("plot", "", "<svg width=\"3\"/>", List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("plot");
    }

    @Test
    void theLegendIsText() {
        List<Plot.Line> lines =
                List.of(Plot.Line.solid("direct & <packed>", "#1b6ca8"), new Plot.Line("x", "#000000", "8 5"));
        assertThat(Plot.ofPng("title", "png".getBytes(StandardCharsets.US_ASCII), lines)
                        .html())
                .contains(
                        "data:image/png;base64,cG5n",
                        "direct &amp; &lt;packed&gt;</li>",
                        "stroke=\"#1b6ca8\"",
                        "stroke-dasharray=\"8 5\"");
    }
}
