// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.lab.images.HelloExperiment.ImageResult;
import io.packing.lab.images.HelloExperiment.Result;
import io.packing.storeservers.NetworkLink;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the JSON of a run of HelloBench. */
class HelloResultTest {
    private static ImageResult image(String name, double peer, double ours, boolean isWrong) {
        return new ImageResult(
                name,
                1_000,
                new HelloTimes(peer, peer, peer, 1),
                new HelloTimes(ours, ours, ours, 2),
                new HelloExperiment.FirstStart(ours, 3 * ours, 80),
                40,
                2,
                10,
                3,
                isWrong);
    }

    @Test
    void speedupsAreMediansOfTheImagesAndNotOfTheirTimes() {
        Result result = Result.of(
                List.of(image("a", 10, 1, false), image("b", 4, 2, true), image("c", 9, 3, false)),
                NetworkLink.of(1, 125),
                new SharedContainers(8, 100, 1.1, 50, 1.0));
        JsonNode json = new ObjectMapper().valueToTree(result);
        assertThat(json.path("images").asInt()).isEqualTo(3);
        assertThat(json.path("wrong").asInt()).isEqualTo(1);
        // 10/1, 4/2, 9/3.
        assertThat(json.path("deployment_speedup_p50").asDouble()).isEqualTo(3);
        // 20/1, 8/1, 18/1.
        assertThat(json.path("deployment_limit_p50").asDouble()).isEqualTo(18);
        assertThat(json.path("per_image").path(1).path("limit").asDouble()).isEqualTo(8);
        // A first run takes three times as long: 20/4, 8/8, 18/12, and with the push 30/5, 12/10, 27/15.
        assertThat(json.path("first_deployment_speedup_p50").asDouble()).isEqualTo(1.5);
        assertThat(json.path("development_speedup_p50").asDouble()).isEqualTo(1.8);
        assertThat(json.path("first_read_fraction_p50").asDouble()).isEqualTo(0.08);
        assertThat(json.path("first").path("run_s").asDouble()).isEqualTo(6);
        assertThat(json.path("round_trip_ms").asDouble()).isEqualTo(1);
        assertThat(json.path("bytes_per_s").asLong()).isEqualTo(125_000_000);
        assertThat(json.path("shared").path("page_cache_ratio").asDouble()).isEqualTo(1.1);
        assertThat(json.path("shared").path("store_reads_ratio").asDouble()).isEqualTo(1.0);
        assertThat(json.path("rerun_ratio_p50").asDouble()).isEqualTo(2);
        assertThat(json.path("publish_s_p50").asDouble()).isEqualTo(3);
        assertThat(json.path("transferred_bytes_p50").asDouble()).isEqualTo(40);
        assertThat(json.path("peer_transferred_bytes_p50").asDouble()).isEqualTo(1_000);
        assertThat(json.path("read_fraction_p50").asDouble()).isEqualTo(0.04);
        assertThat(json.path("peer").path("pull_s").asDouble()).isEqualTo(9);
        assertThat(json.path("ours").path("rerun_s").asDouble()).isEqualTo(2);
        assertThat(json.path("per_image").path(1).path("name").asText()).isEqualTo("b");
        assertThat(json.path("per_image").path(1).path("wrong").asBoolean()).isTrue();
    }

    @Test
    void everyImageHasAProgramThatSaysHello() {
        for (String name : DebianImages.names()) {
            ImageSet.Blob none = new ImageSet.Blob("sha256:0", Path.of("x"), 0);
            assertThat(HelloProgram.of(new ImageSet.Image(name, none, List.of()))
                            .get(0))
                    .startsWith("/usr/");
        }
    }
}
