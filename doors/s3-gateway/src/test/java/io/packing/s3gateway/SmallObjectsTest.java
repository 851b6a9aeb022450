// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Small objects: their requests to the master, their bytes, and their durability when the client gets its answer. */
@Timeout(120)
class SmallObjectsTest {
    private static final Pattern REQUESTS =
            Pattern.compile("(?m)^bdt_requests_total\\{.*?method=\"(\\w+)\".*?\\} (\\S+)$");

    @TempDir
    private static Path home;

    private static TestGateway gateway;
    private static S3Client client;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(
                home,
                Map.of("bdt.metrics.port", "0"),
                // Nothing is pushed before a client asks for that.
                Map.of("packing.uploaded.paths", "/logs", "packing.seal.after", "1h"),
                Map.of("packing.uploaded.paths", "/logs"));
        client = SdkClients.open(gateway.uri(), TestGateway.ALICE);
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        gateway.close();
    }

    private static void put(String bucket, String key, String text) {
        client.putObject(p -> p.bucket(bucket).key(key).metadata(Map.of("of", key)), RequestBody.fromString(text));
    }

    private static Placement placement(String path) throws IOException {
        return gateway.mount().bdt().locate(new FilePath(path)).orElseThrow().placement();
    }

    private static double requests(String method) throws IOException, InterruptedException {
        URI metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(gateway.metricsPort()));
        String all = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return REQUESTS.matcher(all)
                .results()
                .filter(each -> each.group(1).equals(method))
                .map((MatchResult each) -> Double.valueOf(each.group(2)))
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    @Test
    void anObjectInADirectoryThatIsThereCostsTheMasterItsClaimAlone() throws IOException, InterruptedException {
        client.createBucket(b -> b.bucket("small"));
        put("small", "d/first", "makes the directory");
        double vectors = requests("Apply");
        double stats = requests("Stat");
        double located = requests("Locate");
        for (int i = 0; i < 10; i++) {
            put("small", "d/" + i, "text " + i);
        }
        assertThat(requests("Apply")).isEqualTo(vectors);
        assertThat(requests("Stat")).isEqualTo(stats);
        assertThat(requests("Locate")).isEqualTo(located);
    }

    @Test
    void aReadAsksTheMasterOnce() throws IOException, InterruptedException {
        client.createBucket(b -> b.bucket("reads"));
        put("reads", "k", "text");
        double stats = requests("Stat");
        double located = requests("Locate");
        HeadObjectResponse head = client.headObject(h -> h.bucket("reads").key("k"));
        assertThat(head.metadata()).isEqualTo(Map.of("of", "k"));
        assertThat(head.eTag()).isEqualTo("\"%s\"".formatted(SdkClients.md5("text".getBytes(UTF_8))));
        assertThat(requests("Locate")).isEqualTo(located + 1);
        assertThat(requests("Stat")).isEqualTo(stats);
    }

    @Test
    void anObjectTakesThePlaceOfAnotherWithAllItsAttributes() {
        client.createBucket(b -> b.bucket("again"));
        client.putObject(
                p -> p.bucket("again").key("k").metadata(Map.of("old", "1")).tagging("a=b"),
                RequestBody.fromString("1"));
        put("again", "k", "2");
        HeadObjectResponse head = client.headObject(h -> h.bucket("again").key("k"));
        assertThat(head.metadata()).isEqualTo(Map.of("of", "k"));
        assertThat(client.getObjectTagging(t -> t.bucket("again").key("k")).tagSet())
                .isEmpty();
    }

    @Test
    void aReadSeesWhatAnotherDoorHasWrittenSince() throws IOException {
        client.createBucket(b -> b.bucket("doors"));
        put("doors", "k", "by the gateway");
        assertThat(client.getObjectAsBytes(g -> g.bucket("doors").key("k")).asUtf8String())
                .isEqualTo("by the gateway");
        assertThat(client.getObjectAsBytes(g -> g.bucket("doors").key("k").range("bytes=3-5"))
                        .asUtf8String())
                .isEqualTo("the");
        CreateOptions options = new CreateOptions("alice", "", 0644, false, true);
        try (PackingOutput out = gateway.mount().create(new FilePath("/doors/k"), options)) {
            out.write("by another door".getBytes(UTF_8));
        }
        assertThat(client.getObjectAsBytes(g -> g.bucket("doors").key("k")).asUtf8String())
                .isEqualTo("by another door");
        assertThat(client.getObjectAsBytes(g -> g.bucket("doors").key("k")).asUtf8String())
                .isEqualTo("by another door");
    }

    @Test
    void anObjectAtAnUploadedPathIsInTheStoreWhenItsClientHasTheAnswer() throws IOException {
        client.createBucket(b -> b.bucket("logs"));
        client.createBucket(b -> b.bucket("data"));
        put("data", "d/k", "buffered");
        put("logs", "d/k", "uploaded");
        assertThat(placement("/logs/d/k")).isInstanceOf(Placement.Packed.class);
        put("logs", "d/k", "uploaded again");
        assertThat(placement("/logs/d/k")).isInstanceOf(Placement.Packed.class);
        assertThat(client.headObject(h -> h.bucket("logs").key("d/k")).metadata())
                .isEqualTo(Map.of("of", "d/k"));
        put("data", "d/k", "buffered again");
        assertThat(placement("/data/d/k")).isInstanceOf(Placement.Buffered.class);
    }
}
