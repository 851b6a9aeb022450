// SPDX-License-Identifier: Apache-2.0
package io.packing.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PagesTest {
    @Test
    void aPageNeedsNoOtherFileFitsAPhoneAndIsDarkWhereTheSystemIs() {
        assertThat(Pages.head("A <title>"))
                .contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .contains("<meta name=\"color-scheme\" content=\"light dark\">")
                .contains("prefers-color-scheme: dark")
                .contains("<title>A &lt;title&gt;</title>", "<h1>A &lt;title&gt;</h1>")
                .doesNotContain("<link", "http", "@import", "src=");
    }
}
