// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.store.FaultyObjectStore;
import io.packing.store.RequestKind;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The data of a worker's status page. */
@Timeout(60)
final class WorkerPageTest {
    @TempDir
    private Path temp;

    private int port;

    private MountRig rig() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        return new MountRig(temp, Clock.systemUTC(), "packing.metrics.port", Integer.toString(port));
    }

    private String told() throws Exception {
        URI uri = URI.create("http://127.0.0.1:%d/api/status".formatted(port));
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Returns the data once they contain this part; the page is made again once a second. */
    private String toldWith(String part) throws Exception {
        String told = told();
        while (!told.contains(part)) {
            told = told();
        }
        return told;
    }

    @Test
    void whatIsBufferedAndPushedIsTold() throws Exception {
        try (MountRig rig = rig()) {
            MountRig.write(rig.mounts.get(0), "/a", new byte[1_000], MountRig.NEW);
            assertThat(toldWith("\"buffered_files\":1"))
                    .contains("\"daemon\":\"worker\",\"name\":\"w0\"", "\"problem\":null")
                    .contains("\"mount\":\"" + rig.options().store().location().text());
            rig.mounts.get(0).flush();
            assertThat(toldWith("\"puts\":1")).contains("\"slow\":[]").doesNotContain("\"pushed_bytes\":0");
        }
    }

    @Test
    void aPushThatTakesLongIsTold() throws Exception {
        try (MountRig rig = rig();
                FaultyObjectStore.Gate gate = rig.stores.get(0).holdNext(RequestKind.PUT)) {
            MountRig.write(rig.mounts.get(0), "/a", new byte[1_000], MountRig.NEW);
            CompletableFuture<Void> flushed =
                    MountRig.async(() -> rig.mounts.get(0).flush());
            gate.awaitArrival();
            assertThat(toldWith("\"what\":\"a push of "))
                    .contains("\"why\":\"no request was refused or failed since it began\"");
            gate.close();
            flushed.join();
            assertThat(toldWith("\"slow\":[]")).contains("\"puts\":1");
        }
    }
}
