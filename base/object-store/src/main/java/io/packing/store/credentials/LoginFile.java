// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.protocols.jsoncore.JsonWriter;
import software.amazon.awssdk.services.ssooidc.SsoOidcClient;
import software.amazon.awssdk.services.ssooidc.model.CreateTokenRequest;
import software.amazon.awssdk.services.ssooidc.model.CreateTokenResponse;

/**
 * A login that AWS's command line keeps in a file, with the token by which it is renewed. A renewed login is written back, as the
 * command line itself does: the next renewal needs the newest token, whichever process does it.
 */
final class LoginFile {
    /** A login is renewed when it ends in less. */
    static final Duration RENEWED_BEFORE = Duration.ofMinutes(10);

    private static final String ACCESS = "accessToken";
    private static final String END = "expiresAt";
    private static final String RENEWING = "refreshToken";
    private static final String CLIENT = "clientId";
    private static final String CLIENT_SECRET = "clientSecret";

    private final Path file;
    private final SsoOidcClient service;

    LoginFile(Path file, SsoOidcClient service) {
        this.file = file;
        this.service = service;
    }

    /**
     * Returns a token that holds at this time.
     *
     * @throws IllegalStateException when the login has ended and cannot be renewed
     * @throws UncheckedIOException when there is no login
     */
    String token(Instant now) {
        Map<String, String> login = read();
        Instant end = end(login);
        if (!end.minus(RENEWED_BEFORE).isAfter(now)) {
            try {
                return renewed(login, now);
            } catch (SdkException | IllegalStateException e) {
                Map<String, String> other = read();
                if (end(other).isAfter(now)) {
                    // The login holds for some more minutes, or another process has renewed it.
                    return get(other, ACCESS);
                }
                throw new IllegalStateException(
                        "the login in %s ended at %s, and is not renewed: %s".formatted(file, end, e.getMessage()), e);
            }
        }
        return get(login, ACCESS);
    }

    private String renewed(Map<String, String> login, Instant now) {
        CreateTokenResponse answer = service.createToken(CreateTokenRequest.builder()
                .clientId(get(login, CLIENT))
                .clientSecret(get(login, CLIENT_SECRET))
                .grantType("refresh_token")
                .refreshToken(get(login, RENEWING))
                .build());
        login.put(ACCESS, answer.accessToken());
        login.put(
                END,
                now.plusSeconds(answer.expiresIn())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString());
        Optional.ofNullable(answer.refreshToken()).ifPresent(token -> login.put(RENEWING, token));
        write(login);
        return answer.accessToken();
    }

    private Map<String, String> read() {
        try {
            Map<String, String> login = new LinkedHashMap<>();
            // Of an empty file the parser makes nothing at all.
            Optional<JsonNode> written = Optional.ofNullable(JsonNode.parser().parse(Files.readString(file)));
            written.map(JsonNode::asObject).orElse(Map.of()).forEach((name, value) -> {
                if (value.isString()) {
                    login.put(name, value.asString());
                }
            });
            return login;
        } catch (IOException e) {
            throw new UncheckedIOException("there is no login: %s cannot be read".formatted(file), e);
        } catch (UncheckedIOException | UnsupportedOperationException e) {
            throw new IllegalStateException("the login in %s is not what AWS's command line writes".formatted(file), e);
        }
    }

    private void write(Map<String, String> login) {
        try (JsonWriter json = JsonWriter.create()) {
            json.writeStartObject();
            login.forEach((name, value) -> json.writeFieldName(name).writeValue(value));
            json.writeEndObject();
            // Only its owner may read it: Java makes temporary files so.
            Path next = Files.createTempFile(file.getParent(), "login", ".json");
            try {
                Files.writeString(next, new String(json.getBytes(), StandardCharsets.UTF_8));
                Path unused =
                        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                boolean unused = Files.deleteIfExists(next);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the renewed login cannot be written to " + file, e);
        }
    }

    private Instant end(Map<String, String> login) {
        try {
            return Instant.parse(get(login, END));
        } catch (DateTimeParseException e) {
            throw new IllegalStateException(
                    "the end of the login in %s cannot be read: %s".formatted(file, login.get(END)), e);
        }
    }

    private String get(Map<String, String> login, String name) {
        return Optional.ofNullable(login.get(name))
                .orElseThrow(() -> new IllegalStateException("%s has no %s".formatted(file, name)));
    }
}
