// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.MultiMake.CompilerResult;
import io.packing.lab.images.MultiMake.Made;
import io.packing.lab.images.MultiMake.Result;
import io.packing.storeservers.NetworkLink;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of MultiMake's input and report. */
class MultiMakeTest {
    private static Made made(double seconds, int build, int run) {
        return new Made(seconds, 1, 1, 1, build, run, "said");
    }

    @Test
    void theSpeedupIsOfAllSecondsOfAllCompilers() {
        Result result = Result.of(List.of(
                new CompilerResult("gcc-11", Map.of("peer", made(27, 0, 0), "ours", made(1, 0, 0))),
                new CompilerResult("gcc-12", Map.of("peer", made(7, 0, 3), "ours", made(3, 2, -1)))));
        JsonNode json = new ObjectMapper().valueToTree(result);
        assertThat(json.path("seconds").path("ours").asDouble()).isEqualTo(10);
        assertThat(json.path("seconds").path("peer").asDouble()).isEqualTo(40);
        assertThat(json.path("speedup").asDouble()).isEqualTo(4);
        assertThat(json.path("failed").asInt()).isEqualTo(1);
        assertThat(json.path("wrong").asInt()).isEqualTo(1);
        StringWriter text = new StringWriter();
        result.print(new PrintWriter(text, true));
        assertThat(text.toString())
                .contains("gcc-11     passed")
                .contains("gcc-12     build 2")
                .contains("ours is 4.0 times as fast");
    }

    @Test
    void withoutAPeerThereIsNoSpeedup() {
        Result result = Result.of(List.of(new CompilerResult("clang-14", Map.of("ours", made(1, 0, 0)))));
        assertThat(result.speedup()).isZero();
        assertThat(result.wrong()).isZero();
    }

    @Test
    void whatIsNoCompilerIsRefusedBeforeAnythingStarts(@TempDir Path source) {
        for (List<String> bad : List.of(
                List.of("gcc"),
                List.of("tcc-1"),
                List.of("gcc-12;reboot"),
                List.of("gcc-12", "gcc-12"),
                List.<String>of())) {
            assertThatThrownBy(() -> new MultiMake(
                            source,
                            bad,
                            Optional.empty(),
                            Optional.empty(),
                            true,
                            false,
                            true,
                            Map.of(),
                            NetworkLink.NONE,
                            new Narrator(true)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new MultiMake(
                        source.resolve("nothere"),
                        List.of("gcc-12"),
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        false,
                        true,
                        Map.of(),
                        NetworkLink.NONE,
                        new Narrator(true)))
                .hasMessageContaining("is no directory");
    }
}
