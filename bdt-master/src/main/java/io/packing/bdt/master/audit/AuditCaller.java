// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.audit;

import io.packing.transport.identity.Identity;
import java.util.Optional;

/**
 * The caller of a request.
 *
 * @param user for whom
 * @param authentication by what the master knows the user, or the proxy
 * @param via the proxy that acts for the user, if any
 * @param address from where
 */
public record AuditCaller(String user, String authentication, Optional<String> via, String address) {
    /** Returns the caller that the server identified, or an unknown one. */
    static AuditCaller of(Optional<Identity> identity, String address) {
        return identity.map(who -> new AuditCaller(who.user(), who.proof().name(), who.via(), address))
                .orElseGet(() -> new AuditCaller("unknown", "NONE", Optional.empty(), address));
    }

    /** As HDFS shows them. */
    String shown() {
        return via.isPresent()
                ? "%s (auth:PROXY) via %s (auth:%s)"
                        .formatted(AuditEvent.escaped(user), AuditEvent.escaped(via.get()), authentication)
                : "%s (auth:%s)".formatted(AuditEvent.escaped(user), authentication);
    }
}
