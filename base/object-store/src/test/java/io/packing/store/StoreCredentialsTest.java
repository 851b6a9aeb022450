// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.store.credentials.AwsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

@Timeout(60)
class StoreCredentialsTest {
    private static final AwsSettings NONE = new AwsSettings(Map.of(), Map.of());
    private static final String STORE = "s3://bucket/prefix";

    @TempDir
    private Path home;

    private static String profile(String key, String token) {
        return "[default]\naws_access_key_id = %s\naws_secret_access_key = secret-of-%s\naws_session_token = %s\n"
                .formatted(key, key, token);
    }

    private static AwsCredentialsProvider of(Path file) {
        return S3Connection.credentials(
                StoreOptions.from(Map.of("packing.store", STORE, "packing.s3.credentials.file", file.toString())),
                NONE);
    }

    private static void gives(AwsCredentialsProvider provider, String key, String token) {
        assertThat(provider.resolveCredentials()).isInstanceOfSatisfying(AwsSessionCredentials.class, now -> {
            assertThat(now.accessKeyId()).isEqualTo(key);
            assertThat(now.sessionToken()).isEqualTo(token);
        });
    }

    @Test
    void credentialsThatExpireAreReadAgain() throws IOException {
        Path file = Files.writeString(home.resolve("credentials"), profile("first", "t1"));
        AwsCredentialsProvider provider = of(file);
        gives(provider, "first", "t1");
        Files.writeString(file, profile("second", "t2-is-longer"));
        gives(provider, "second", "t2-is-longer");
    }

    /** An operator writes new keys, and renames the file later: its time is older than the last look at the file before. */
    @Test
    void aFileThatWasWrittenLongAgoIsReadWhenARenamePutsItInPlace() throws IOException {
        Path file = Files.writeString(home.resolve("credentials"), profile("first", "t1"));
        AwsCredentialsProvider provider = of(file);
        gives(provider, "first", "t1");
        Path next = Files.writeString(home.resolve("next"), profile("second", "t2"));
        Files.setLastModifiedTime(
                next, FileTime.from(Files.getLastModifiedTime(file).toInstant().minusSeconds(3_600)));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        gives(provider, "second", "t2");
    }

    @Test
    void aFileThatIsGoneOrBrokenTakesNoKeysAway() throws IOException {
        Path file = Files.writeString(home.resolve("credentials"), profile("first", "t1"));
        AwsCredentialsProvider provider = of(file);
        gives(provider, "first", "t1");
        Files.writeString(file, "[default\nnothing that AWS's tools would read");
        gives(provider, "first", "t1");
        Files.delete(file);
        gives(provider, "first", "t1");
        Files.writeString(file, profile("second", "t2"));
        gives(provider, "second", "t2");
    }

    @Test
    void aFileThatIsNotThereOrThatIsBesideKeysIsRefused() {
        Map<String, String> missing = Map.of(
                "packing.store",
                STORE,
                "packing.s3.credentials.file",
                home.resolve("none").toString());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3Connection.credentials(StoreOptions.from(missing), NONE))
                .withMessageContaining("none");
        Map<String, String> both = Map.of(
                "packing.store", STORE,
                "packing.s3.credentials.file", "/f",
                "packing.s3.access.key", "a",
                "packing.s3.secret.key", "s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreOptions.from(both))
                .withMessageContaining("set one of them");
    }

    @Test
    void aMastersOwnCredentialsTakeThePlaceOfThoseOfAMount() {
        Map<String, String> raw =
                Map.of("packing.store", STORE, "packing.s3.access.key", "a", "packing.s3.secret.key", "s");
        Map<String, String> own = StoreOptions.withCredentials(raw, Path.of("/own"));
        assertThat(own)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("packing.store", STORE, "packing.s3.credentials.file", "/own"));
    }

    @Test
    void theKeysOfTheEnvironmentAreForOptionsThatHaveNone() {
        Map<String, String> environment = Map.of("PACKING_S3_ACCESS_KEY", "a", "PACKING_S3_SECRET_KEY", "s");
        assertThat(EnvironmentKeys.added(Map.of("packing.store", STORE), environment))
                .containsEntry("packing.s3.access.key", "a")
                .containsEntry("packing.s3.secret.key", "s");
        for (Map<String, String> has : List.of(
                Map.of("packing.s3.access.key", "b", "packing.s3.secret.key", "t"),
                Map.of("packing.s3.credentials.file", "/f"))) {
            assertThat(EnvironmentKeys.added(has, environment)).isEqualTo(has);
        }
        assertThat(EnvironmentKeys.added(Map.of("packing.store", STORE), Map.of("PATH", "/bin")))
                .containsOnlyKeys("packing.store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvironmentKeys.added(Map.of(), Map.of("PACKING_S3_SECRET_KEY", "s")))
                .withMessageContaining("PACKING_S3_ACCESS_KEY");
        assertThatIllegalArgumentException()
                .as("a secret of another key")
                .isThrownBy(() -> EnvironmentKeys.added(Map.of("packing.s3.access.key", "b"), environment))
                .withMessageContaining("packing.s3.access.key is another key than PACKING_S3_ACCESS_KEY");
    }
}
