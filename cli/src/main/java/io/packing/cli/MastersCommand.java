// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.raft.MasterGroupMembers;
import io.packing.options.Options;
import io.packing.transport.SecurityOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells who the masters of a group are, and takes one out. */
@Command(
        name = "masters",
        description = {
            "Shows where each master of a group speaks Raft, where clients find it, and how often it has started.",
            "A member is added by starting it: bdt-master --join."
        })
final class MastersCommand implements Callable<Integer> {
    @Option(
            names = "--peers",
            paramLabel = "ID=HOST:PORT,...",
            required = true,
            description = "Some members, and where they speak Raft.")
    private String peers = "";

    @Option(
            names = "--remove",
            paramLabel = "ID",
            description = "A member that leaves the group for good. Stop it before or afterwards.")
    private Optional<String> remove = Optional.empty();

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of masters; only bdt.tls.* are looked at: the certificate needs O=packing-master."
                    + " May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException {
        Map<String, String> raw = new LinkedHashMap<>(options);
        raw.put(MasterGroupOptions.PEERS.key(), peers);
        Options checked = Options.check(raw, "bdt.", BdtMasterOptions.OPTIONS);
        try (MasterGroupMembers members = MasterGroupMembers.connect(
                checked.get(MasterGroupOptions.PEERS), SecurityOptions.OF_MASTERS.from(checked))) {
            if (remove.isPresent()) {
                members.remove(remove.get());
            }
            List<MasterGroupMembers.Member> all = members.all();
            report.print(all, out -> {
                out.println("%-16s %-28s %-28s %s".formatted("member", "raft", "clients", "starts"));
                all.forEach(each -> out.println(
                        "%-16s %-28s %-28s %d".formatted(each.id(), each.raft(), each.address(), each.starts())));
            });
        }
        return ExitCodes.OK;
    }
}
