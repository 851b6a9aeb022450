// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.store.RequestListener;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one source of credentials of a process that uses Azure Blob Storage. */
@NullUnmarked
class AzureCredentialsTest {
    private static final String KEY = "AccountName=account;AccountKey=a2V5";

    @TempDir
    private Path home;

    private final Map<String, String> environment = new HashMap<>();

    private AzureSource source(Map<String, String> more) throws IOException {
        Map<String, String> raw = new HashMap<>(Map.of("packing.store", "abfs://container@account/p"));
        raw.putAll(more);
        StoreOptions options = StoreOptions.from(raw);
        try (AzureConnection connection = AzureConnection.open(
                options, (StoreLocation.AzureContainer) options.location(), new AzureSettings(environment))) {
            return connection.source();
        }
    }

    @Test
    void theFirstSettingDecides() throws IOException {
        assertThat(source(Map.of()).kind()).isEqualTo("machine");
        environment.put("AZURE_CLIENT_ID", "client");
        assertThat(source(Map.of()).name()).isEqualTo("the managed identity of the machine, client");
        environment.put("AZURE_TENANT_ID", "tenant");
        environment.put("AZURE_FEDERATED_TOKEN_FILE", home.resolve("token").toString());
        assertThat(source(Map.of()).kind()).isEqualTo("web_identity");
        environment.put("AZURE_CLIENT_SECRET", "secret");
        assertThat(source(Map.of()).askedBy()).isEqualTo("AZURE_CLIENT_SECRET");
        environment.put("AZURE_STORAGE_CONNECTION_STRING", KEY);
        assertThat(source(Map.of()).askedBy()).isEqualTo("AZURE_STORAGE_CONNECTION_STRING");
        assertThat(source(Map.of("packing.s3.access.key", "account", "packing.s3.secret.key", "a2V5"))
                        .askedBy())
                .isEqualTo("packing.s3.access.key");
        Path file = Files.writeString(home.resolve("keys"), "SharedAccessSignature=sv=1&sig=2\n");
        assertThat(source(Map.of("packing.s3.credentials.file", file.toString()))
                        .kind())
                .isEqualTo("file");
    }

    @Test
    void halfOfASourceIsAnErrorThatNamesTheOtherHalf() {
        environment.put("AZURE_FEDERATED_TOKEN_FILE", "/token");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(Map.of()))
                .withMessageContaining("AZURE_FEDERATED_TOKEN_FILE is set without AZURE_CLIENT_ID");
        environment.clear();
        environment.put("AZURE_CLIENT_SECRET", "secret");
        environment.put("AZURE_CLIENT_ID", "client");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(Map.of()))
                .withMessageContaining("AZURE_CLIENT_SECRET is set without AZURE_TENANT_ID");
        environment.clear();
        environment.put("AZURE_STORAGE_CONNECTION_STRING", "AccountName=account");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source(Map.of()))
                .withMessageContaining("AZURE_STORAGE_CONNECTION_STRING has neither AccountKey");
    }

    @Test
    void theKeyOfAnotherAccountIsRefusedWithoutTheKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> source(Map.of("packing.s3.access.key", "other", "packing.s3.secret.key", "wr0ngs3cret")))
                .withMessageContaining("of account other, and the store is in account account")
                .withMessageNotContaining("wr0ngs3cret");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        assertThatIOException()
                .isThrownBy(() -> source(Map.of("packing.s3.credentials.file", home + "/gone")))
                .withMessageContaining(home + "/gone")
                .withMessageContaining("No other source is tried");
    }

    /** A token that is asked for fails, and the request with it: the store is not asked without one. */
    @Test
    void aPodWithoutItsTokenGetsNoOtherIdentity() {
        environment.put("AZURE_CLIENT_ID", "00000000-0000-0000-0000-000000000001");
        environment.put("AZURE_TENANT_ID", "00000000-0000-0000-0000-000000000002");
        environment.put("AZURE_FEDERATED_TOKEN_FILE", home + "/no-token");
        StoreOptions options = StoreOptions.from(Map.of(
                "packing.store",
                "abfs://container@account/p",
                "packing.s3.endpoint",
                "https://127.0.0.1:1",
                "packing.s3.retry.timeout",
                "1s"));
        assertThatIOException()
                .isThrownBy(() -> AzureStores.open(options, new AzureSettings(environment), RequestListener.NONE))
                .withMessageContaining("asked for by AZURE_FEDERATED_TOKEN_FILE")
                .withMessageContaining("No other source is tried");
    }
}
