// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.packing.store.StoreCredentials;
import io.packing.store.StoreExamination.UsedCredentials;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The one source of credentials that a process uses: the first one that it has a setting for. If that one fails, no other is tried.
 *
 * @param kind in small letters
 * @param name of the source, for operators
 * @param askedBy the setting that asks for it
 * @param identity whose they are, as far as this process knows
 * @param signing gives them to a client
 */
record AzureSource(
        String kind, String name, String askedBy, String identity, Consumer<BlobContainerClientBuilder> signing) {

    /**
     * Finds the source.
     *
     * @param http by which tokens are asked for
     * @throws IOException when a file cannot be used, naming it
     * @throws IllegalArgumentException when settings are half-given
     */
    static AzureSource of(
            StoreOptions options, StoreLocation.AzureContainer container, AzureSettings settings, HttpClient http)
            throws IOException {
        if (options.credentialsFile().isPresent()) {
            return ofFile(options.credentialsFile().get(), container);
        }
        if (options.credentials().isPresent()) {
            StoreCredentials pair = options.credentials().get();
            return ofKey(container, pair.accessKey(), pair.secretKey(), "packing.s3.access.key");
        }
        Optional<String> connection = settings.value(AzureSettings.CONNECTION);
        if (connection.isPresent()) {
            return ofConnection(connection.get(), container, AzureSettings.CONNECTION);
        }
        if (settings.value(AzureSettings.SECRET).isPresent()) {
            String client = settings.beside(AzureSettings.SECRET, AzureSettings.CLIENT);
            ClientSecretCredentialBuilder builder = new ClientSecretCredentialBuilder()
                    .httpClient(http)
                    .tenantId(settings.beside(AzureSettings.SECRET, AzureSettings.TENANT))
                    .clientId(client)
                    .clientSecret(settings.beside(AzureSettings.SECRET, AzureSettings.SECRET));
            settings.value(AzureSettings.AUTHORITY).ifPresent(builder::authorityHost);
            return ofToken(
                    "environment", "the service principal " + client, AzureSettings.SECRET, client, builder.build());
        }
        if (settings.value(AzureSettings.TOKEN_FILE).isPresent()) {
            String client = settings.beside(AzureSettings.TOKEN_FILE, AzureSettings.CLIENT);
            WorkloadIdentityCredentialBuilder builder = new WorkloadIdentityCredentialBuilder()
                    .httpClient(http)
                    .tenantId(settings.beside(AzureSettings.TOKEN_FILE, AzureSettings.TENANT))
                    .clientId(client)
                    .tokenFilePath(settings.beside(AzureSettings.TOKEN_FILE, AzureSettings.TOKEN_FILE));
            settings.value(AzureSettings.AUTHORITY).ifPresent(builder::authorityHost);
            return ofToken(
                    "web_identity",
                    "the workload identity " + client,
                    AzureSettings.TOKEN_FILE,
                    client,
                    builder.build());
        }
        Optional<String> client = settings.value(AzureSettings.CLIENT);
        ManagedIdentityCredentialBuilder builder = new ManagedIdentityCredentialBuilder().httpClient(http);
        client.ifPresent(builder::clientId);
        return ofToken(
                "machine",
                "the managed identity of the machine"
                        + client.map(id -> ", " + id).orElse(""),
                client.map(id -> AzureSettings.CLIENT).orElse("no other setting"),
                client.orElse(""),
                builder.build());
    }

    private static AzureSource ofToken(
            String kind, String name, String askedBy, String identity, TokenCredential token) {
        return new AzureSource(kind, name, askedBy, identity, builder -> builder.credential(new NamedToken(token)));
    }

    private static AzureSource ofKey(
            StoreLocation.AzureContainer container, String account, String key, String askedBy) {
        if (!account.equals(container.account())) {
            throw new IllegalArgumentException(
                    "credentials: the key that %s names is of account %s, and the store is in account %s. Next: set the account's own"
                            .formatted(askedBy, account, container.account()));
        }
        StorageSharedKeyCredential shared = new StorageSharedKeyCredential(account, key);
        return new AzureSource(
                "keys", "the key of the account", askedBy, account, builder -> builder.credential(shared));
    }

    private static AzureSource ofFile(Path file, StoreLocation.AzureContainer container) throws IOException {
        String askedBy = "packing.s3.credentials.file";
        try {
            AzureSource found = ofConnection(Files.readString(file).strip(), container, askedBy);
            return new AzureSource("file", "the file " + file, askedBy, found.identity(), found.signing());
        } catch (IOException e) {
            throw new IOException(
                    "%s: credentials: the file %s, asked for by %s, cannot be read: %s. No other source is tried"
                            .formatted(container.text(), file, askedBy, e.getMessage()),
                    e);
        }
    }

    /** Takes a connection string of the account, with its key or with a shared access signature. */
    private static AzureSource ofConnection(String text, StoreLocation.AzureContainer container, String askedBy) {
        Map<String, String> parts = Arrays.stream(text.split(";", -1))
                .map(part -> part.split("=", 2))
                .filter(part -> part.length == 2)
                .collect(Collectors.toMap(
                        part -> part[0].strip().toLowerCase(Locale.ROOT), part -> part[1].strip(), (a, b) -> b));
        String account = parts.getOrDefault("accountname", container.account());
        if (parts.containsKey("accountkey")) {
            return ofKey(container, account, parts.getOrDefault("accountkey", ""), askedBy);
        }
        String signature = parts.getOrDefault("sharedaccesssignature", "");
        if (signature.isEmpty()) {
            throw new IllegalArgumentException(
                    "credentials: %s has neither AccountKey nor SharedAccessSignature. Next: write AccountName=NAME;AccountKey=KEY"
                            .formatted(askedBy));
        }
        return new AzureSource(
                "keys", "a shared access signature", askedBy, account, builder -> builder.sasToken(signature));
    }

    /** Returns how an operator gets over a refusal. */
    String remedy() {
        return "look whether %s, asked for by %s, is the right one".formatted(name, askedBy);
    }

    /** Returns the message for a source that gives nothing. */
    String failed(String why) {
        return "credentials: %s, asked for by %s, cannot be had: %s. Next: %s. No other source is tried"
                .formatted(name, askedBy, why, remedy());
    }

    /** Returns these credentials for an operator. */
    UsedCredentials used() {
        return new UsedCredentials(kind, name, askedBy, identity.isEmpty() ? null : identity);
    }
}
