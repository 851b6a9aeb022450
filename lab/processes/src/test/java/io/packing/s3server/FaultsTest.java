// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsTest {
    private static final Duration NO_TIME = Duration.ZERO;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private S3Server server;

    @BeforeEach
    void start() throws IOException {
        server = S3Server.start(S3ServerOptions.of(directory, "bucket"));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.endpoint().resolve(path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private void inject(Faults faults) throws Exception {
        assertThat(send("POST", S3Server.FAULTS_PATH + "?" + faults.toQuery()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatFailsAndWhatIsRefusedSaysSoAndDoesNothing() throws Exception {
        inject(new Faults(1, 0, 0, 0, 0, 0, NO_TIME, 0));
        assertThat(send("GET", "/bucket/a/b").statusCode()).isEqualTo(500);
        inject(new Faults(0, 1, 0, 0, 0, 0, NO_TIME, 0));
        assertThat(send("GET", "/bucket/a/b").body()).contains("<Code>SlowDown</Code>");
        assertThat(server.metrics().prefix("a").get()).isZero();
    }

    @Test
    void ofADroppedRequestNothingIsDoneAndOfOneThatLosesItsAnswerEverything() throws Exception {
        inject(new Faults(0, 0, 1, 0, 0, 0, NO_TIME, 0));
        assertThatThrownBy(() -> send("GET", "/bucket/a/b")).isInstanceOf(IOException.class);
        assertThat(server.metrics().prefix("a").get()).isZero();
        inject(new Faults(0, 0, 0, 1, 0, 0, NO_TIME, 0));
        assertThatThrownBy(() -> send("GET", "/bucket/a/b")).isInstanceOf(IOException.class);
        assertThat(server.metrics().prefix("a").get()).isPositive();
    }

    @Test
    void aServerThatHangsAnswersNothingAndOneThatIsLateAnswers() throws Exception {
        inject(new Faults(0, 0, 0, 0, 0, 1, Duration.ofMillis(1), 0));
        assertThatThrownBy(() -> send("GET", "/bucket/a/b")).isInstanceOf(IOException.class);
        inject(new Faults(0, 0, 0, 0, 1, 0, Duration.ofMillis(1), 0));
        assertThat(send("GET", "/bucket/a/b").statusCode()).isBetween(400, 404);
    }

    @Test
    void theServerTellsHowManyItInjectedAndForgetsFaultsWhenTold() throws Exception {
        inject(new Faults(1, 0, 0, 0, 0, 0, NO_TIME, 0));
        send("GET", "/bucket/a/b");
        inject(Faults.NONE);
        assertThat(send("GET", "/bucket/a/b").statusCode()).isBetween(400, 404);
        assertThat(send("GET", S3Server.FAULTS_PATH).body()).isEqualTo("1");
    }

    @Test
    void faultsThatAreNoneAreRefusedByName() throws Exception {
        assertThat(send("POST", S3Server.FAULTS_PATH + "?flop=1").body()).contains("flop");
        assertThat(send("POST", S3Server.FAULTS_PATH + "?fail=much").statusCode())
                .isEqualTo(400);
        assertThatIllegalArgumentException().isThrownBy(() -> Faults.of(Map.of("fail", "0.6", "drop", "0.6")));
        assertThatIllegalArgumentException().isThrownBy(() -> Faults.of(Map.of("fail", "-1")));
    }
}
