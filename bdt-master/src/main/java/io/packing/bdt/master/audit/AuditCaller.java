package io.packing.bdt.master.audit;

import io.packing.transport.identity.Identity;
import java.util.Optional;

/**
 * Who asks.
 *
 * @param user for whom
 * @param authentication by what the master knows the user, or whoever acts for them
 * @param via who acts for the user, if somebody does
 * @param address from where
 */
public record AuditCaller(String user, String authentication, Optional<String> via, String address) {
    /** Whom the server knows, if it asks who they are. */
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
