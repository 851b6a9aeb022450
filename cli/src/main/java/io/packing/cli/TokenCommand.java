// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.client.GrpcBdts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tokens of a BDT master with TLS. */
@Command(
        name = "token",
        description = {
            "Gets tokens of a BDT master with TLS, renews and cancels them.",
            "A token lets a job act as its user without the user's key: give its file as packing.tls.token.",
            "Of the options only packing.tls.* are looked at."
        })
final class TokenCommand {
    /** A token, as printed. */
    record Issued(String file, String end, String renewedUntil) {}

    /** Until when a token is valid, as printed. */
    record Renewed(String renewedUntil) {}

    /** A cancellation's result, as printed. */
    record Cancelled(boolean cancelled) {}

    @Command(
            name = "issue",
            description =
                    "Writes a new token into a file that only its owner can read. It speaks for the user of the certificate.")
    int issue(
            @Mixin OperatorTarget target,
            @Mixin Report report,
            @Option(
                            names = "--user",
                            defaultValue = "",
                            description = "The user for whom it speaks; only a superuser gets one for another user.")
                    String user,
            @Option(
                            names = "--renewer",
                            defaultValue = "",
                            description = "Who may renew and cancel it, beside its user, such as yarn.")
                    String renewer,
            @Parameters(
                            paramLabel = "[MOUNT] FILE",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description = "The masters, as " + MountUri.FORM
                                    + "; then the file, which must not be there yet.")
                    List<String> words)
            throws IOException {
        Path file = Path.of(target.operands(words, 1, "FILE").get(0));
        try (GrpcBdts bdts = target.connect()) {
            // The file comes first: a token that no file can take would be issued and lost.
            Path made = Files.createFile(
                    file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            IssuedToken token;
            try {
                token = bdts.tokens().issue(user, renewer);
            } catch (IOException | RuntimeException e) {
                Files.delete(made);
                throw e;
            }
            Files.writeString(made, token.text() + "\n");
            Issued issued = new Issued(
                    made.toString(),
                    token.end().toString(),
                    token.renewedUntil().toString());
            report.print(
                    issued,
                    out -> out.printf(
                            "%s holds a token that is valid until %s, and with renewals until %s%n",
                            issued.file(), issued.renewedUntil(), issued.end()));
        }
        return ExitCodes.OK;
    }

    @Command(name = "renew", description = "Makes a token valid for longer, up to its end.")
    int renew(
            @Mixin OperatorTarget target,
            @Mixin Report report,
            @Parameters(
                            paramLabel = "[MOUNT] FILE",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description = "The masters, as " + MountUri.FORM + "; then the file of the token.")
                    List<String> words)
            throws IOException {
        Path file = Path.of(target.operands(words, 1, "FILE").get(0));
        try (GrpcBdts bdts = target.connect()) {
            Instant until = bdts.tokens().renew(Files.readString(file).strip());
            report.print(new Renewed(until.toString()), out -> out.println("valid until " + until));
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "cancel",
            description =
                    "Makes a token invalid: at its master at once, at workers and other groups within seconds. The file stays.")
    int cancel(
            @Mixin OperatorTarget target,
            @Mixin Report report,
            @Parameters(
                            paramLabel = "[MOUNT] FILE",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description = "The masters, as " + MountUri.FORM + "; then the file of the token.")
                    List<String> words)
            throws IOException {
        Path file = Path.of(target.operands(words, 1, "FILE").get(0));
        try (GrpcBdts bdts = target.connect()) {
            bdts.tokens().cancel(Files.readString(file).strip());
            report.print(new Cancelled(true), out -> out.println("cancelled"));
        }
        return ExitCodes.OK;
    }
}
