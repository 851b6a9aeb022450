// SPDX-License-Identifier: Apache-2.0
/** Logins by Kerberos: whose ticket it is, which user that is here, and for whom that user may act. */
@NullMarked
package io.packing.bdt.master.login;

import org.jspecify.annotations.NullMarked;
