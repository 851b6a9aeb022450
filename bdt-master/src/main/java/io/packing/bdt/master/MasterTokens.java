// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.audit.AuditLog;
import io.packing.bdt.master.login.Logins;
import io.packing.bdt.master.rpc.TokensService;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.bdt.master.tokens.KeyIds;
import io.packing.bdt.master.tokens.KeyReportPoller;
import io.packing.bdt.master.tokens.OtherMasterGroups;
import io.packing.bdt.master.tokens.TokenAuthority;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The wiring of the tokens of a master with TLS: those that it issues, who logs in, and those that other groups issue. */
final class MasterTokens implements AutoCloseable {
    /** For how long a group is asked for before it counts as silent for now. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final TokensService service;
    private final Logins logins;
    private final OtherMasterGroups others;
    private final KeyReportPoller asked;
    private final Map<String, GrpcBdts> clients;

    private MasterTokens(
            TokensService service,
            Logins logins,
            OtherMasterGroups others,
            KeyReportPoller asked,
            Map<String, GrpcBdts> clients) {
        this.service = service;
        this.logins = logins;
        this.others = others;
        this.asked = asked;
        this.clients = clients;
    }

    /**
     * Wires them, and begins to ask other groups.
     *
     * @param group that this master is a member of, if it is not alone
     */
    static MasterTokens open(
            BdtMasterOptions config,
            DataDirectory data,
            Optional<MasterGroup> group,
            Optional<AuditLog> audit,
            Clocks clocks)
            throws IOException {
        AccessOptions access = config.access();
        Federation groups = config.groups();
        MasterTexts texts = group.isPresent() ? group.get().texts() : MasterTexts.in(data.security());
        KeyIds ids = groups.isSpread() ? KeyIds.of(groups.own()) : KeyIds.ALONE;
        TokenAuthority authority = TokenAuthority.open(texts, access.tokens(), ids, clocks.wall());
        Logins logins = access.kerberos().open(access.permissions());
        Map<String, String> addresses = new LinkedHashMap<>(groups.groups());
        String unused = addresses.remove(groups.own());
        OtherMasterGroups others = groups.isSpread()
                ? OtherMasterGroups.open(MasterTexts.in(data.groups()), addresses, clocks.wall())
                : OtherMasterGroups.none();
        Map<String, GrpcBdts> clients = new HashMap<>();
        Map<String, KeyReportPoller.Question> questions = new HashMap<>();
        others.addresses().forEach((name, at) -> {
            GrpcBdts client = GrpcBdts.ofMasters(at, PATIENCE, access.security());
            clients.put(name, client);
            questions.put(name, client.tokens()::ownKeys);
        });
        return new MasterTokens(
                new TokensService(
                        authority, new TokensService.IssuingGroup(groups.own(), others), logins, audit, clocks.wall()),
                logins,
                others,
                KeyReportPoller.start(others, questions),
                clients);
    }

    TokensService service() {
        return service;
    }

    /** The names of the other groups. */
    Set<String> others() {
        return others.addresses().keySet();
    }

    /** Returns the time since the last message from a group. */
    Duration silence(String group) {
        return others.silence(group);
    }

    /** Returns the key ring that checks the tokens of all groups. */
    KeyRing ring() {
        return service.ring();
    }

    /** Takes the users' groups from these terms, for the next login and later ones. */
    void take(PermissionOptions terms) {
        logins.take(terms.groups().get(), terms.supergroup());
    }

    @Override
    public void close() {
        asked.close();
        clients.values().forEach(GrpcBdts::close);
    }
}
