// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.sim.registry.RegistryRequest.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTraceReaderTest {
    @TempDir
    private Path home;

    private static String request(String time, String user, String method, String uri, int status, long written) {
        return ("{\"host\":\"h\",\"http.request.duration\":0.5,\"http.request.method\":\"%s\","
                        + "\"http.request.remoteaddr\":\"%s\",\"http.request.uri\":\"%s\",\"http.response.status\":%d,"
                        + "\"http.response.written\":%d,\"id\":\"x\",\"timestamp\":\"2017-06-20T23:00:%sZ\"}")
                .formatted(method, user, uri, status, written, time);
    }

    private Path file(String name, String... requests) throws IOException {
        return Files.writeString(home.resolve(name), "[" + String.join(",\n", requests) + "]");
    }

    @Test
    void pullsAndPushesAreReadInTheOrderOfTheirTimes() throws IOException {
        Path later = file(
                "later.json",
                request("02.500", "u1", "GET", "v2/n1/r1/blobs/layerA", 200, 1_000),
                request("03.000", "u1", "GET", "v2/n1/r1/blobs/layerB", 200, 2_000),
                request("03.100", "u1", "GET", "v2/n1/r1/blobs/lost", 404, 0),
                request("03.200", "u1", "HEAD", "v2/n1/r1/blobs/layerB", 200, 0),
                request("03.300", "u2", "GET", "v2/n1/r2/blobs/layerA", 206, 500),
                request("04.000", "u2", "GET", "v2/", 401, 0));
        Path earlier = file(
                "earlier.json",
                request("01.000", "p", "PUT", "v2/n1/r1/blobs/uploads/layerA", 201, 1_000),
                request("02.000", "u1", "GET", "v2/n1/r1/manifests/latest", 200, 300));
        RegistryTrace trace = RegistryTraceReader.read(List.of(later, earlier));
        assertThat(trace.requests())
                .containsExactly(
                        new RegistryRequest(0, 0, Kind.PUT_LAYER, 0),
                        new RegistryRequest(1_000_000, 1, Kind.GET_MANIFEST, 0),
                        new RegistryRequest(1_500_000, 1, Kind.GET_LAYER, 0),
                        new RegistryRequest(2_000_000, 1, Kind.GET_LAYER, 1),
                        new RegistryRequest(2_300_000, 2, Kind.GET_LAYER, 0));
        assertThat(trace.layerBytes(0)).isEqualTo(1_000);
        assertThat(trace.layerBytes(1)).isEqualTo(2_000);
        assertThat(trace.images()).isOne();
        assertThat(trace.image(0)).containsExactly(0, 1);
    }

    @Test
    void whatIsNoTraceIsRefusedWithItsPlace() throws IOException {
        Path none = Files.writeString(home.resolve("none.json"), "{}");
        assertThatThrownBy(() -> RegistryTraceReader.read(List.of(none)))
                .hasMessageContaining("none.json: want an array");
        Path torn = Files.writeString(
                home.resolve("torn.json"), "[" + request("01.000", "u", "GET", "v2/n/r/blobs/a", 200, 1) + ",{\"id");
        assertThatThrownBy(() -> RegistryTraceReader.read(List.of(torn)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("torn.json, request 2");
        Path time = file("time.json", request("99.000", "u", "GET", "v2/n/r/blobs/a", 200, 1));
        assertThatThrownBy(() -> RegistryTraceReader.read(List.of(time))).hasMessageContaining("time.json, request 1");
        Path nothing = file("nothing.json", request("01.000", "u", "GET", "v2/", 200, 1));
        assertThatThrownBy(() -> RegistryTraceReader.read(List.of(nothing)))
                .hasMessageContaining("no pull or push")
                .hasMessageContaining("1 other");
    }
}
