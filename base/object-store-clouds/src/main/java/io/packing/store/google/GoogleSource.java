// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.http.HttpTransport;
import com.google.auth.Retryable;
import com.google.auth.oauth2.ComputeEngineCredentials;
import com.google.auth.oauth2.ExternalAccountCredentials;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import io.packing.store.Attempts;
import io.packing.store.StoreExamination.UsedCredentials;
import io.packing.store.StoreLocation;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one source of credentials that a process uses: the first one that it has a setting for. If that one fails, no other is tried.
 *
 * @param kind in small letters
 * @param name of the source, for operators
 * @param askedBy the setting that asks for it
 * @param credentials empty: requests carry none
 */
record GoogleSource(String kind, String name, String askedBy, Optional<GoogleCredentials> credentials) {
    private static final List<String> SCOPES = List.of("https://www.googleapis.com/auth/devstorage.read_write");

    /**
     * Finds the source.
     *
     * @param file that the process's options name
     * @param endpoint of the store, if it is not Google's own
     * @param transport by which tokens are asked for
     * @throws IOException when the settings cannot be used, naming them
     */
    static GoogleSource of(
            Optional<Path> file, Optional<URI> endpoint, GoogleSettings settings, HttpTransport transport)
            throws IOException {
        if (endpoint.filter(uri -> "http".equals(uri.getScheme())).isPresent()) {
            // A token that is seen on the way is as good as its owner.
            return new GoogleSource(
                    "none",
                    "no credentials, since requests are not encrypted",
                    "packing.s3.endpoint",
                    Optional.empty());
        }
        if (file.isPresent()) {
            return ofFile(file.get(), "packing.s3.credentials.file", transport);
        }
        if (settings.namedFile().isPresent()) {
            return ofFile(settings.namedFile().get(), GoogleSettings.FILE, transport);
        }
        Path signedIn = settings.signedInFile();
        if (Files.exists(signedIn)) {
            return ofFile(signedIn, "gcloud auth application-default login", transport);
        }
        return new GoogleSource(
                "machine",
                "the service account of the machine, or of the pod",
                "no other setting",
                Optional.of(
                        ComputeEngineCredentials.newBuilder().setScopes(SCOPES).build()));
    }

    private static GoogleSource ofFile(Path file, String askedBy, HttpTransport transport) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            GoogleCredentials found = GoogleCredentials.fromStream(in, () -> transport);
            if (found.createScopedRequired()) {
                found = found.createScoped(SCOPES);
            }
            String kind = found instanceof ExternalAccountCredentials ? "web_identity" : "file";
            return new GoogleSource(kind, "the file " + file, askedBy, Optional.of(found));
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "credentials: the file %s, asked for by %s, cannot be used: %s. Next: correct it or unset %s. No other source is tried"
                            .formatted(file, askedBy, e.getMessage(), askedBy),
                    e);
        }
    }

    /** Returns how an operator gets over a refusal. */
    String remedy() {
        return "look whether %s, asked for by %s, is the right one".formatted(name, askedBy);
    }

    /** Returns the failure to throw when the source gives no token; an {@link Attempts.Transient} when it may later. */
    IOException failed(String location, IOException e) {
        String message = "credentials: %s, asked for by %s, cannot be had: %s. Next: %s. No other source is tried"
                .formatted(name, askedBy, e.getMessage(), remedy());
        // The machine's service is asked by its address: a failed connection means that there is none.
        boolean passing = e instanceof Retryable retryable && retryable.isRetryable();
        return passing
                ? new Attempts.Transient(message, false, "", e)
                : new IOException("%s: %s".formatted(location, message), e);
    }

    /** Returns these credentials for an operator, after a token was asked for. */
    UsedCredentials used(StoreLocation location) throws IOException {
        @Nullable String identity = null;
        if (credentials.isPresent()) {
            GoogleCredentials each = credentials.get();
            try {
                each.refreshIfExpired();
                identity = identity(each);
            } catch (IOException e) {
                throw new IOException(String.valueOf(failed(location.text(), e).getMessage()), e);
            }
        }
        return new UsedCredentials(kind, name, askedBy, identity);
    }

    private static @Nullable String identity(GoogleCredentials credentials) {
        if (credentials instanceof ServiceAccountCredentials account) {
            return account.getClientEmail();
        }
        if (credentials instanceof ComputeEngineCredentials machine) {
            return machine.getAccount();
        }
        return credentials instanceof ExternalAccountCredentials external ? external.getAudience() : null;
    }
}
