package rng_test

// The first values of each kind of draw, as they were when results were first published.
const (
	frozenKeys    = "0x6a09e667f3bcc909 0xd94259df0d440a18 0xadaf183937640ab8 0xfd04a94f106f4cab"
	frozenWords   = "0xa5d943b0761bf79d 0x788994a973fd783b 0xc09a64ef5d47ac1"
	frozenUniform = "0.10604829180551223 0.6370322718588568"
	frozenExp     = "0.043082396939021564 0.10839880930625208 0.21150494668733616"
	frozenNormal  = "0.401841772517756 0.6750402463392134"
	frozenGamma   = "3.2656997498692553 0.01912741166188677"
)
