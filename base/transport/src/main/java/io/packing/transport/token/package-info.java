/** Signed tokens: their bytes, and how a server checks them without asking anybody. docs/security.md is normative. */
@NullMarked
package io.packing.transport.token;

import org.jspecify.annotations.NullMarked;
