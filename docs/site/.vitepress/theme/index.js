import theme from 'vitepress/theme-without-fonts' // fonts of the system: nothing to load
import './style.css'

export default theme
