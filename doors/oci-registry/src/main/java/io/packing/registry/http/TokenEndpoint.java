// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.access.TokenAccess;
import io.packing.registry.oci.OciCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives out tokens, as the token specification of the distribution project has it. */
final class TokenEndpoint {
    private final TokenAccess tokens;

    TokenEndpoint(TokenAccess tokens) {
        this.tokens = tokens;
    }

    void get(Exchange exchange) throws IOException {
        // A client gives several scopes as several parameters, or in one with spaces between.
        List<String> scopes = exchange.queryAll("scope").stream()
                .flatMap(value -> Arrays.stream(value.split(" ", -1)))
                .filter(scope -> !scope.isEmpty())
                .toList();
        Optional<TokenAccess.Issued> issued = tokens.issue(exchange.header("Authorization"), scopes);
        if (issued.isEmpty()) {
            exchange.with("WWW-Authenticate", "Basic realm=\"packing registry\", charset=\"UTF-8\"");
            exchange.refuse(401, OciCode.UNAUTHORIZED.name(), "name or password is wrong");
            return;
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("token", issued.get().token());
        // The name that OAuth 2.0 has for it.
        answer.put("access_token", issued.get().token());
        answer.put("expires_in", issued.get().seconds());
        answer.put("issued_at", issued.get().issued().toString());
        exchange.with("Cache-Control", "no-store").sendJson(200, answer);
    }
}
