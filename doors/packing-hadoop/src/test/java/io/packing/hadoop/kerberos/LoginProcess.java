// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import io.packing.bdt.master.login.KerberosService;
import io.packing.bdt.master.login.RefusedLoginException;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The part of a master's process that takes logins by Kerberos: {@code KEYTAB MEMORY MESSAGE...}. Prints the user of
 * each, or the reason of its refusal.
 */
public final class LoginProcess {
    private LoginProcess() {}

    public static void main(String[] args) {
        KerberosService.rememberIn(Path.of(args[1]));
        KerberosService service = KerberosService.open(KerberizedMount.SERVICE + "@" + TestKdc.REALM, Path.of(args[0]));
        for (int i = 2; i < args.length; i++) {
            try {
                System.out.println(service.clientOf(Base64.getDecoder().decode(args[i])));
            } catch (RefusedLoginException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
