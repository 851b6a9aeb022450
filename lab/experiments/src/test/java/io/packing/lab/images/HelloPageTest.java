// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the report on images and on a run. */
class HelloPageTest {
    @TempDir
    private Path home;

    @Test
    void equalFilesAndBlocksAreCountedOnce() throws Exception {
        ImageStudy study = ImageStudy.of(SampleHelloPage.images(home));
        // x is replaced; y is there under two names.
        assertThat(study.images().get(0).fileRatio()).isCloseTo(3 / 2.0, within(1e-9));
        // c and d, each twice, and e twice in one file.
        assertThat(study.images().get(0).blockRatio()).isCloseTo(6 / 3.0, within(1e-9));
        // a is there twice.
        assertThat(study.images().get(1).fileRatio()).isEqualTo(1);
        assertThat(study.images().get(1).blockRatio()).isCloseTo(6 / 5.0, within(1e-9));
        assertThat(study.allFileRatio()).isCloseTo(6 / 4.0, within(1e-9));
        assertThat(study.allBlockRatio()).isCloseTo(12 / 6.0, within(1e-9));
        assertThat(study.layerFileRatio()).isCloseTo(5 / 4.0, within(1e-9));
        assertThat(study.layersP50()).isEqualTo(2);
        assertThat(study.bytesByDepth().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(study.gzipRatio()).isGreaterThan(10);
    }

    @Test
    void thePageHasEachNumberBesideThePapersAndNeedsNoOtherFile() throws Exception {
        Path written = SampleHelloPage.write(home);
        String page = Files.readString(written);
        assertThat(page)
                .contains("pull and run, times as fast<td>1<td>8.00<td class=text>5.3")
                .contains("push, pull and run, times as fast<td>1<td>8.00<td class=text>20")
                .contains("of what nobody has started before, times as fast<td>1<td>4.44<td class=text>")
                .contains("of the image<td>100.0 %<td>4.0 %<td class=text>6.4 % (mean)")
                .contains("need not read from the store again<td><td>100.0 %<td class=text>99 %")
                .contains("80.0 % to 20.0 %")
                .contains("equal blocks of 4 KB once, all images<td><td>2.00<td class=text>2.8")
                .contains("<svg class=\"chart\"")
                .doesNotContain("src=")
                .doesNotContain("NaN");
        assertThat(Files.readString(written.resolveSibling("hello.json"))).contains("deployment_speedup_p50");
        assertThat(Files.readString(written.resolveSibling("hello-images.json")))
                .contains("gzip_ratio_p50");
    }
}
