// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.auth.oauth2.ExternalAccountCredentials;
import com.google.auth.oauth2.UserCredentials;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one source of credentials of a process that uses Google Cloud Storage. */
@NullUnmarked
class GoogleCredentialsTest {
    private static final String POD = """
            {"type": "external_account", "audience": "//iam.googleapis.com/projects/1/pool",
             "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": "https://sts.googleapis.com/v1/token",
             "credential_source": {"file": "/var/run/secrets/token"}}
            """;
    private static final String PERSON = """
            {"type": "authorized_user", "client_id": "i", "client_secret": "wr0ng-s3cret", "refresh_token": "r"}
            """;

    @TempDir
    private Path home;

    private final Map<String, String> environment = new HashMap<>();

    private GoogleSource source(Map<String, String> more) throws IOException {
        Map<String, String> raw = new HashMap<>(Map.of("packing.store", "gs://bucket/p"));
        raw.putAll(more);
        try (GoogleConnection connection =
                GoogleConnection.open(StoreOptions.from(raw), new GoogleSettings(environment, home))) {
            return connection.source();
        }
    }

    private Path file(String name, String content) throws IOException {
        Files.createDirectories(home.resolve(name).getParent());
        return Files.writeString(home.resolve(name), content);
    }

    @Test
    void theFirstSettingDecides() throws IOException {
        assertThat(source(Map.of()).kind()).isEqualTo("machine");
        file(".config/gcloud/application_default_credentials.json", PERSON);
        assertThat(source(Map.of()).askedBy()).isEqualTo("gcloud auth application-default login");
        assertThat(source(Map.of()).credentials()).containsInstanceOf(UserCredentials.class);
        environment.put("GOOGLE_APPLICATION_CREDENTIALS", file("pod.json", POD).toString());
        assertThat(source(Map.of()).kind()).isEqualTo("web_identity");
        assertThat(source(Map.of()).credentials()).containsInstanceOf(ExternalAccountCredentials.class);
        Path own = file("own.json", PERSON);
        assertThat(source(Map.of("packing.s3.credentials.file", own.toString())).askedBy())
                .isEqualTo("packing.s3.credentials.file");
    }

    @Test
    void aSourceThatCannotBeHadIsNamedAndNoOtherIsTried() throws IOException {
        file(".config/gcloud/application_default_credentials.json", PERSON);
        environment.put(
                "GOOGLE_APPLICATION_CREDENTIALS", home.resolve("gone.json").toString());
        assertThatIOException()
                .isThrownBy(() -> source(Map.of()))
                .withMessageContaining("gs://bucket/p: credentials: the file " + home + "/gone.json")
                .withMessageContaining("asked for by GOOGLE_APPLICATION_CREDENTIALS")
                .withMessageContaining("No other source is tried");
        Path broken = file("broken.json", "{\"type\": \"unknown\", \"private_key\": \"wr0ng-s3cret\"}");
        environment.put("GOOGLE_APPLICATION_CREDENTIALS", broken.toString());
        assertThatIOException()
                .isThrownBy(() -> source(Map.of()))
                .withMessageContaining("broken.json")
                .withMessageNotContaining("wr0ng-s3cret");
    }

    /** A token that is asked for fails, and the request with it: the store is not asked without one. */
    @Test
    void aPodWithoutItsTokenGetsNoOtherIdentity() throws IOException {
        environment.put("GOOGLE_APPLICATION_CREDENTIALS", file("pod.json", POD).toString());
        StoreOptions options = StoreOptions.from(
                Map.of("packing.store", "gs://bucket/p", "packing.s3.endpoint", "https://127.0.0.1:1"));
        assertThatIOException()
                .isThrownBy(() ->
                        GoogleStores.open(options, new GoogleSettings(environment, home), (kind, bytes, outcome) -> {}))
                .withMessageContaining("asked for by GOOGLE_APPLICATION_CREDENTIALS")
                .withMessageContaining("/var/run/secrets/token")
                .withMessageContaining("No other source is tried");
    }

    @Test
    void requestsThatAreNotEncryptedCarryNoCredentials() throws IOException {
        environment.put("GOOGLE_APPLICATION_CREDENTIALS", file("pod.json", POD).toString());
        GoogleSource none = source(Map.of("packing.s3.endpoint", "http://127.0.0.1:1"));
        assertThat(none.credentials()).isEmpty();
        assertThat(none.kind()).isEqualTo("none");
    }

    @Test
    void keysOfS3AreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s")))
                .withMessageContaining("options of S3 only");
    }
}
