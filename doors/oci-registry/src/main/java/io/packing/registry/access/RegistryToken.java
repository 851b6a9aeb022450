// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Rights of a client for a while: a JSON Web Token (RFC 7519, signed by HS256) with the claims of the distribution
 * project's token specification.
 *
 * @param user its name; empty: a client without a name
 * @param issued when, in whole seconds
 * @param end of its life, in whole seconds
 * @param grants the repositories that it is for
 * @param isForCatalog true if it is for the list of all repositories
 */
record RegistryToken(Optional<String> user, Instant issued, Instant end, List<Grant> grants, boolean isForCatalog) {
    /** The name of the issuer and of the audience. */
    static final String SERVICE = "packing-registry";

    private static final ObjectMapper JSON = new ObjectMapper();
    /** In the specification's words: the registry's resource {@code catalog}, with all actions. */
    private static final String REGISTRY = "registry";

    private static final String CATALOG = "catalog";
    private static final String ALL = "*";
    private static final String ALGORITHM = "HS256";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    RegistryToken {
        grants = List.copyOf(grants);
    }

    /** Returns the token's text; any client that has the text may use it. */
    String sign(RegistryTokenKeys keys) {
        ObjectNode claims = JSON.createObjectNode()
                .put("iss", SERVICE)
                .put("aud", SERVICE)
                .put("sub", user.orElse(""))
                .put("iat", issued.getEpochSecond())
                .put("nbf", issued.getEpochSecond())
                .put("exp", end.getEpochSecond());
        ArrayNode access = claims.putArray("access");
        for (Grant grant : grants) {
            ObjectNode one = access.addObject().put("type", "repository").put("name", grant.repository());
            ArrayNode actions = one.putArray("actions");
            grant.rights().stream().sorted().map(Right::text).forEach(actions::add);
        }
        if (isForCatalog) {
            access.addObject()
                    .put("type", REGISTRY)
                    .put("name", CATALOG)
                    .putArray("actions")
                    .add(ALL);
        }
        String said = encode(JSON.createObjectNode().put("typ", "JWT").put("alg", ALGORITHM)) + "." + encode(claims);
        return said + "." + ENCODER.encodeToString(keys.sign(said));
    }

    private static String encode(JsonNode json) {
        return ENCODER.encodeToString(json.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a text; empty unless one of the keys signed it, for us. */
    static Optional<RegistryToken> verify(String text, RegistryTokenKeys keys) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            // The signature is checked before any field is read.
            if (!keys.signed(parts[0] + "." + parts[1], Base64.getUrlDecoder().decode(parts[2]))) {
                return Optional.empty();
            }
            JsonNode head = JSON.readTree(Base64.getUrlDecoder().decode(parts[0]));
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            boolean ours = head.path("alg").asText().equals(ALGORITHM)
                    && claims.path("iss").asText().equals(SERVICE)
                    && claims.path("aud").asText().equals(SERVICE);
            return ours ? Optional.of(of(claims)) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static RegistryToken of(JsonNode claims) {
        List<Grant> grants = new ArrayList<>();
        boolean catalog = false;
        for (JsonNode one : claims.path("access")) {
            catalog |= one.path("type").asText().equals(REGISTRY)
                    && one.path("name").asText().equals(CATALOG);
            List<String> actions = new ArrayList<>();
            one.path("actions").forEach(action -> actions.add(action.asText()));
            Grant.ofScope("%s:%s:%s"
                            .formatted(
                                    one.path("type").asText(), one.path("name").asText(), String.join(",", actions)))
                    .ifPresent(grants::add);
        }
        return new RegistryToken(
                Optional.of(claims.path("sub").asText()).filter(name -> !name.isEmpty()),
                Instant.ofEpochSecond(claims.path("iat").asLong()),
                Instant.ofEpochSecond(claims.path("exp").asLong()),
                grants,
                catalog);
    }

    /** Returns whether the token grants a right. */
    boolean grants(String repository, Right right) {
        return grants.stream()
                .anyMatch(grant ->
                        grant.repository().equals(repository) && grant.rights().contains(right));
    }
}
